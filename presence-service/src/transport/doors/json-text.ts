import { LIMITS, ProblemError } from "@hearth/contracts";
import { exceedsJsonDepth } from "@hearth/runtime";

const refuse = (message: string): ProblemError => new ProblemError("INVALID_REQUEST", message);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Counts a character; stops above `atMost`. */
function countOf(character: string, text: string, atMost: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count <= atMost; at = text.indexOf(character, at + 1)) {
    count += 1;
  }
  return count;
}

/** The text of a frame; refuses JSON that is nested too deep. Text with few brackets needs no closer look. */
export function readText(data: Buffer, depth: number = LIMITS.jsonDepth): string {
  const text = data.toString();
  const brackets = countOf("{", text, depth) + countOf("[", text, depth);
  if (brackets > depth && exceedsJsonDepth(data, depth)) {
    throw refuse(`JSON must not be nested deeper than ${depth} levels`);
  }
  return text;
}

/** Narrows a parsed value to an object; throws `INVALID_REQUEST` for anything else. */
export function asObject(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw refuse("A message must be a JSON object");
  return value;
}

/** The JSON object in a frame; throws `INVALID_REQUEST` for anything else. */
export function parseObject(data: Buffer): Record<string, unknown> {
  const text = readText(data);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse("A message must be valid JSON");
  }
  return asObject(value);
}
