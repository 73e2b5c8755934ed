import type { Response } from "express";
import { JsonText } from "./json-text.ts";

/** Replaces express's `response.json`: passes text through and sets no cache headers. */
export function sendJson(this: Response, body: unknown): Response {
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  this.setHeader("Content-Type", "application/json; charset=utf-8");
  this.setHeader("Content-Length", Buffer.byteLength(text));
  return this.end(text);
}
