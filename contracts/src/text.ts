import { z } from "zod";

/** Control characters and the direction overrides that let one name pass for another. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

const wellFormed = (text: string): boolean => text.isWellFormed();

/** Text of one line that people read: NFC, no control characters, no lone surrogates. */
export const lineOfText = (min: number, max: number) =>
  z
    .string()
    .normalize("NFC")
    .min(min)
    .max(max)
    .refine(wellFormed, "must be well-formed Unicode")
    .refine((text) => !UNSAFE.test(text), "must not contain control characters");

/** Text of several lines: NFC, no control characters but tab and line feed. */
export const textBlock = (max: number) =>
  z
    .string()
    .normalize("NFC")
    .max(max)
    .refine(wellFormed, "must be well-formed Unicode")
    .refine((text) => !UNSAFE.test(text.replace(/[\t\n\r]/g, "")), "must not contain control characters");

/** A UUID of any version, in its usual spelling. */
export const uuid = z.guid();

/** Epoch milliseconds. */
export const epochMs = z.int().min(0);

/** AU2 */
export const displayName = lineOfText(1, 64).refine((text) => text.trim().length > 0, "must not be blank");
