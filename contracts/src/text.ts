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

/** Emoji sequences: the only place where joiners, variation selectors and tags have a visible effect. */
const EMOJI_PART = "\\p{Extended_Pictographic}(?:\\uFE0F?\\p{Emoji_Modifier}|[\\uFE0E\\uFE0F])?";
const EMOJI = new RegExp(
  `${EMOJI_PART}(?:\\u200D${EMOJI_PART})*(?:[\\u{E0020}-\\u{E007E}]+\\u{E007F})?|[0-9#*]\\uFE0F\\u20E3`,
  "gu",
);

/** Formatting and bidi controls, variation selectors, and letters that are drawn as nothing (Hangul fillers, braille blank). */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
const STACKED_MARKS = /[\p{Mn}\p{Me}]{3}/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * AB8: a name that people tell each other apart by: at least one visible character, none that is invisible, at most
 * two marks stacked on a letter.
 */
export const visibleName = (max: number) =>
  lineOfText(1, max)
    .refine((text) => !INVISIBLE.test(text.replace(EMOJI, "*")), "must not contain invisible characters")
    .refine((text) => VISIBLE.test(text), "must contain a visible character")
    .refine((text) => !STACKED_MARKS.test(text), "must not stack more than two combining marks");

/** AU2, AB8 */
export const displayName = visibleName(64);
