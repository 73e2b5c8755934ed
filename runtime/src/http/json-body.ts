import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { LIMITS, ProblemError } from "@hearth/contracts";
import { exceedsJsonDepth } from "./json-depth.ts";

const tooLarge = (maxBytes: number): ProblemError =>
  new ProblemError("PAYLOAD_TOO_LARGE", `A body may have up to ${maxBytes} bytes`);
const unsupported = (what: string): ProblemError => new ProblemError("UNSUPPORTED_MEDIA_TYPE", what);
const malformed = (what: string): ProblemError => new ProblemError("INVALID_REQUEST", what);

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * True for a body with any encoding (rule AB1): a decoder allocates what the first bytes ask for, long before a limit on
 * the result applies.
 */
export const hasEncodedBody = (request: IncomingMessage): boolean =>
  hasBody(request) && (request.headers["content-encoding"] ?? "identity").trim().toLowerCase() !== "identity";

export const encodedBody = (): ProblemError =>
  unsupported("A body must be sent without a Content-Encoding, or as identity");

function checkType(contentType: string | undefined): void {
  const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  if (!/^application\/(json|[a-z0-9.-]+\+json)$/.test(type.trim())) {
    throw unsupported("The body must be application/json");
  }
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split("=");
    const charset = value.trim().replace(/^"(.*)"$/, "$1");
    if (name.trim() === "charset" && charset !== "utf-8" && charset !== "utf8") {
      throw unsupported("The body must be UTF-8");
    }
  }
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        // Discards the rest: a client that is cut off while it writes may never read the answer.
        reject(tooLarge(maxBytes));
      }
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => reject(malformed("The request ended early")));
  });
}

function parse(bytes: Buffer): Record<string, unknown> {
  if (!isUtf8(bytes)) throw malformed("The body is not UTF-8");
  if (exceedsJsonDepth(bytes, LIMITS.jsonDepth)) throw malformed("The body is nested too deeply");
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw malformed("The body is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw malformed("The body must be a JSON object");
  }
  return value as Record<string, unknown>;
}

/** The JSON object in a request's body; `undefined` without a body. Throws past the limit in bytes (rule GW7). */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number = LIMITS.httpBodyBytes,
): Promise<Record<string, unknown> | undefined> {
  if (!hasBody(request)) return undefined;
  checkType(request.headers["content-type"]);
  if (hasEncodedBody(request)) throw encodedBody();
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return parse(await readBytes(request, maxBytes));
}
