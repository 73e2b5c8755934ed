const MAX_CHARACTERS = 2_000;
const MAX_LINES = 30;

/** The beginning of a text that is too long to be shown unasked; nothing where all of it may be shown. */
export function beginningOf(text: string): string | null {
  const lines = text.split("\n", MAX_LINES + 1);
  const head = lines.length > MAX_LINES ? lines.slice(0, MAX_LINES).join("\n") : text;
  if (head.length <= MAX_CHARACTERS) return head === text ? null : head;
  const cut = head.slice(0, MAX_CHARACTERS);
  const space = Math.max(cut.lastIndexOf(" "), cut.lastIndexOf("\n"));
  // A surrogate pair is not taken apart.
  return space > MAX_CHARACTERS / 2 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, "");
}
