import { readFileSync } from "node:fs";
import { errorCode } from "../errors/error-code.ts";
import { StartError } from "../errors/start-error.ts";

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new StartError(`${file} cannot be read (${errorCode(error) ?? "unknown error"})`);
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    // V8's message quotes the text, which may hold a secret; its position does not.
    const [where = ""] = /line \d+ column \d+|position \d+/.exec(String(error)) ?? [];
    throw new StartError(`${file} is not valid JSON${where && ` (${where})`}`);
  }
}

/**
 * The server's variables file; `{}` when there is none. Throws a `StartError` when it is not a JSON object. The caller
 * checks the keys.
 */
export function readVariablesFile(file: string): Readonly<Record<string, unknown>> {
  const text = readText(file);
  if (text === undefined) return {};
  const value = parse(text, file);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new StartError(`${file} must hold a JSON object`);
}
