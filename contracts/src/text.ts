import { z } from "zod";

/** Control characters, and direction overrides that make one name look like another. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

const wellFormed = (text: string): boolean => text.isWellFormed();

/** Counts characters as JSON Schema does: an emoji is one, where JavaScript counts two. */
const characters = (text: string): number => Array.from(text).length;

/** NFC text of `min` to `max` characters, without lone surrogates. */
export const anyText = (min: number, max: number) =>
  z
    .string()
    .normalize("NFC")
    .refine((text) => characters(text) >= min, `must have at least ${min} characters`)
    .refine((text) => characters(text) <= max, `must have at most ${max} characters`)
    .refine(wellFormed, "must be well-formed Unicode")
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });

/**
 * Patterns for the OpenAPI documents. Other regex dialects read them, so they use no Unicode property and no character
 * outside the basic plane.
 */
const CONTROLS = "\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069";
const LINE = `^[^\\u0000-\\u001F${CONTROLS}]*$`;
const BLOCK = `^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F${CONTROLS}]*$`;

/** One line of readable text: NFC, no control characters, no lone surrogates. */
export const lineOfText = (min: number, max: number) =>
  anyText(min, max)
    .refine((text) => !UNSAFE.test(text), { error: "must not contain control characters", abort: true })
    .meta({ minLength: min, maxLength: max, pattern: LINE });

/** Several lines of text: NFC, no control characters except tab, line feed and carriage return. */
export const textBlock = (max: number) =>
  anyText(0, max)
    .refine((text) => !UNSAFE.test(text.replace(/[\t\n\r]/g, "")), "must not contain control characters")
    .meta({ maxLength: max, pattern: BLOCK });

/** A UUID of any version, with hyphens. */
export const uuid = z.guid();

/** Epoch milliseconds. */
export const epochMs = z.int().min(0);

/** Emoji sequences: the only place where joiners, variation selectors and tags have a visible effect. */
const EMOJI_PART = "\\p{Extended_Pictographic}(?:\\uFE0F?\\p{Emoji_Modifier}|[\\uFE0E\\uFE0F])?";
const EMOJI = new RegExp(
  `${EMOJI_PART}(?:\\u200D${EMOJI_PART})*(?:[\\u{E0020}-\\u{E007E}]+\\u{E007F})?|[0-9#*]\\uFE0F\\u20E3`,
  "gu",
);

/** Formatting and bidi controls, variation selectors, and letters without a glyph (Hangul fillers, braille blank). */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
const STACKED_MARKS = /[\p{Mn}\p{Me}]{3}/u;
/** Includes characters without a glyph in any font: they appear as a box. */
const VISIBLE = /[^\p{Z}\p{M}\p{Cc}\p{Cf}]/u;

/** For the documents: without the characters that emoji may use, most marks, and all outside the basic plane. */
const HIDDEN = [
  "\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u0600-\\u0605\\u061C\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u115F\\u1160",
  "\\u17B4\\u17B5\\u180B-\\u180F\\u200B\\u200C\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0D",
  "\\uFEFF\\uFFA0\\uFFF0-\\uFFFB",
].join("");
const BLANK =
  " \\u00A0\\u1680\\u2000-\\u200A\\u200D\\u202F\\u205F\\u3000\\uFE0E\\uFE0F\\u0300-\\u036F\\u1AB0-\\u1ACE\\u1DC0-\\u1DFF\\u20D0-\\u20F0";
const NAME = `^[^${HIDDEN}]*[^${HIDDEN}${BLANK}][^${HIDDEN}]*$`;

/**
 * AB8: a name that identifies a user or a server to others: at least one visible character, no invisible ones, at most
 * two marks stacked on a letter.
 */
export const visibleName = (max: number) =>
  lineOfText(1, max)
    .refine((text) => !INVISIBLE.test(text.replace(EMOJI, "*")), {
      error: "must not contain invisible characters",
      abort: true,
    })
    .refine((text) => VISIBLE.test(text), "must contain a visible character")
    .refine((text) => !STACKED_MARKS.test(text), "must not stack more than two combining marks")
    .meta({
      description: "Joiners and variation selectors only within emoji; at most two combining marks in a row.",
      minLength: 1,
      maxLength: max,
      pattern: NAME,
    });

/** AU2, AB8 */
export const displayName = visibleName(64);
