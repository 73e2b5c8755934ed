import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { LIMITS, ProblemError } from "@hearth/contracts";
import { errorCode } from "../error-code.ts";
import { exceedsJsonDepth } from "./json-depth.ts";

const decoders = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

const tooLarge = (maxBytes: number): ProblemError =>
  new ProblemError("PAYLOAD_TOO_LARGE", `A body may have up to ${maxBytes} bytes`);
const unsupported = (what: string): ProblemError => new ProblemError("UNSUPPORTED_MEDIA_TYPE", what);
const malformed = (what: string): ProblemError => new ProblemError("INVALID_REQUEST", what);

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

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

const isDecoder = (name: string): name is keyof typeof decoders => Object.hasOwn(decoders, name);

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        // What still arrives is discarded: a client that is cut off while it writes may never read our answer.
        reject(tooLarge(maxBytes));
      }
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => reject(malformed("The request ended early")));
  });
}

async function decode(bytes: Buffer, encoding: keyof typeof decoders, maxBytes: number): Promise<Buffer> {
  try {
    return await decoders[encoding](bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    throw errorCode(error) === "ERR_BUFFER_TOO_LARGE"
      ? tooLarge(maxBytes)
      : malformed("The body is not what its Content-Encoding says");
  }
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

/** The JSON object in a request's body, of so many bytes at most; `undefined` without a body (rule GW7). */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number = LIMITS.httpBodyBytes,
): Promise<Record<string, unknown> | undefined> {
  if (!hasBody(request)) return undefined;
  checkType(request.headers["content-type"]);
  const encoding = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding !== "identity" && !isDecoder(encoding))
    throw unsupported("The body's encoding is not supported");
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const bytes = await readBytes(request, maxBytes);
  return parse(isDecoder(encoding) ? await decode(bytes, encoding, maxBytes) : bytes);
}
