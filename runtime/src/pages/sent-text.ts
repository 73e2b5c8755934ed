import type { IncomingMessage, ServerResponse } from "node:http";
import { sha256Hex } from "../context/ids.ts";

/** A text with its entity tag. All responses share its bytes. */
export interface SentText {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

export const sentText = (type: string, text: string): SentText => ({
  type,
  bytes: Buffer.from(text),
  etag: `"${sha256Hex(text).slice(0, 32)}"`,
});

const isKnown = (request: IncomingMessage, etag: string): boolean =>
  (request.headers["if-none-match"] ?? "")
    .split(",")
    .some((candidate) => candidate.trim().replace(/^W\//, "") === etag || candidate.trim() === "*");

/** Sends 200, or 304 for a matching `If-None-Match`. A browser revalidates each time. */
export function sendText(request: IncomingMessage, response: ServerResponse, sent: SentText): void {
  const headers = { ETag: sent.etag, "Cache-Control": "no-cache" };
  if (isKnown(request, sent.etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, {
    "Content-Type": sent.type,
    "Content-Length": sent.bytes.length,
    ...headers,
  });
  response.end(sent.bytes);
}
