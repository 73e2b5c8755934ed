const TAG = /^[\p{L}\p{N}_-]{1,32}$/u;
const MOST = 10;

/** Tags as they are typed, apart by commas or spaces; `null` when one of them is none, or there are too many. */
export function readTags(text: string): readonly string[] | null {
  const parts = text
    .normalize("NFC")
    .toLowerCase()
    .split(/[\s,;]+/u)
    .map((part) => part.replace(/^#/u, ""))
    .filter((part) => part !== "");
  const tags = [...new Set(parts)];
  return tags.length <= MOST && tags.every((tag) => TAG.test(tag)) ? tags : null;
}
