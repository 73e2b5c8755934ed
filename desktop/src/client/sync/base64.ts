import { z } from "zod";

const STEP = 0x8000;

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += STEP)
    text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(text);
}

export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));

/** Bytes as base64, at most so many. */
export const base64Bytes = (mostBytes: number) =>
  z
    .base64()
    .max(Math.ceil(mostBytes / 3) * 4)
    .transform(fromBase64);
