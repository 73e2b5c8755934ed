import type { Response } from "express";

/** A JSON response that is already text, as a string or UTF-8. `toJSON` keeps it correct if somebody stringifies it. */
export class JsonText {
  readonly text: string | Uint8Array;

  constructor(text: string | Uint8Array) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(Buffer.from(this.text).toString());
  }
}

/** Lets a controller return JSON text where its signature, and so the document, declares the shape. */
export const textOf = (text: string | Uint8Array): never => new JsonText(text) as never;

/** Replaces express's `response.json`: passes text through and sets no cache headers. */
export function sendJson(this: Response, body: unknown): Response {
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  this.setHeader("Content-Type", "application/json; charset=utf-8");
  this.setHeader("Content-Length", Buffer.byteLength(text));
  return this.end(text);
}
