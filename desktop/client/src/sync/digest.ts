import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

export const sha256Hex = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));

/** Short enough to send hundreds, long enough to be unique within an account. */
export const digestOf = (value: unknown): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify(value).toWellFormed())).subarray(0, 8));
