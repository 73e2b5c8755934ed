import { readMarkdown } from "./read-markdown.ts";
import type { Block } from "./tree.ts";

const MAX_ENTRIES = 500;

const cache = new Map<string, readonly Block[]>();

/** As `readMarkdown`; what was read lately is not read again when it scrolls back into sight. */
export function readCached(content: string): readonly Block[] {
  const known = cache.get(content);
  if (known !== undefined) {
    cache.delete(content);
    cache.set(content, known);
    return known;
  }
  const blocks = readMarkdown(content);
  cache.set(content, blocks);
  const oldest = cache.size > MAX_ENTRIES ? cache.keys().next() : undefined;
  if (oldest?.done === false) cache.delete(oldest.value);
  return blocks;
}
