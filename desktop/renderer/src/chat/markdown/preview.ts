import { readMarkdown, textOf } from "./read-markdown.ts";
import type { Block } from "./tree.ts";

const READ = 400;
const SHOWN = 160;

const linesOf = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap((block): readonly string[] => {
    switch (block.kind) {
      case "paragraph":
      case "heading":
        return [textOf(block.children)];
      case "code":
        return [block.text];
      case "quote":
        return linesOf(block.children);
      case "list":
        return block.items.flatMap(({ children }) => linesOf(children));
      case "rule":
        return [];
    }
  });

/** A message on one line, without its markdown: for previews, announcements and results. */
export function previewOf(content: string, length: number = SHOWN): string {
  const line = linesOf(readMarkdown(content.slice(0, READ)))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (line.length <= length && content.length <= READ) return line;
  return `${line.slice(0, length).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
