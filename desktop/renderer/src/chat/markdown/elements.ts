import { createElement } from "react";
import type { ReactNode } from "react";
import type { Block, Inline } from "./tree.ts";

/** What the page shows for parts of a text that are more than an element. */
export interface Leaves {
  readonly text: (text: string, key: string) => ReactNode;
  readonly codeBlock: (code: { readonly language: string; readonly text: string }, key: string) => ReactNode;
  readonly link: (
    link: { readonly href: string; readonly destination: string | null; readonly children: ReactNode },
    key: string,
  ) => ReactNode;
  readonly task: (checked: boolean) => ReactNode;
}

const tags = { strong: "strong", emphasis: "em", strike: "del" } as const;

function inlineElement(inline: Inline, key: string, leaves: Leaves): ReactNode {
  switch (inline.kind) {
    case "text":
      return leaves.text(inline.text, key);
    case "break":
      return createElement("br", { key });
    case "code":
      return createElement("code", { key }, inline.text);
    case "link": {
      const { href, destination } = inline;
      return leaves.link({ href, destination, children: inlineElements(inline.children, key, leaves) }, key);
    }
    default:
      return createElement(tags[inline.kind], { key }, inlineElements(inline.children, key, leaves));
  }
}

const inlineElements = (inlines: readonly Inline[], path: string, leaves: Leaves): readonly ReactNode[] =>
  inlines.map((inline, index) => inlineElement(inline, `${path}.${index}`, leaves));

function listElement(list: Extract<Block, { kind: "list" }>, key: string, leaves: Leaves): ReactNode {
  const items = list.items.map(({ checked, children }, index) => {
    const path = `${key}.${index}`;
    const task = checked === null ? null : leaves.task(checked);
    return createElement("li", { key: path }, task, blockElements(children, path, leaves));
  });
  return list.start === null
    ? createElement("ul", { key }, items)
    : createElement("ol", { key, start: list.start }, items);
}

function blockElement(block: Block, key: string, leaves: Leaves): ReactNode {
  switch (block.kind) {
    case "paragraph":
      return createElement("p", { key }, inlineElements(block.children, key, leaves));
    case "heading":
      return createElement(
        "p",
        { key, className: "text-heading" },
        inlineElements(block.children, key, leaves),
      );
    case "code":
      return leaves.codeBlock(block, key);
    case "quote":
      return createElement("blockquote", { key }, blockElements(block.children, key, leaves));
    case "list":
      return listElement(block, key, leaves);
    case "rule":
      return createElement("hr", { key });
  }
}

/** A message's blocks as elements; it makes those named here and what the leaves make, and sets no other property. */
export const blockElements = (blocks: readonly Block[], path: string, leaves: Leaves): readonly ReactNode[] =>
  blocks.map((block, index) => blockElement(block, `${path}.${index}`, leaves));
