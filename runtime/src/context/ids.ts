import { createHash, randomBytes } from "node:crypto";
import { v7 } from "uuid";

/** A new record id: a UUID v7, which sorts by creation time. */
export const newId = (): string => v7();

/** An unguessable secret: 32 random bytes as 64 hex characters (rule AU4). */
export const randomToken = (): string => randomBytes(32).toString("hex");

/** SHA-256 of the UTF-8 text, as 64 hex characters. */
export const sha256Hex = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
