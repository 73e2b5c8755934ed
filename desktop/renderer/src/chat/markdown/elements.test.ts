import { describe, expect, it } from "@jest/globals";
import { createElement, isValidElement } from "react";
import type { ReactNode } from "react";
import { blockElements } from "./elements.ts";
import type { Leaves } from "./elements.ts";
import { readMarkdown } from "./read-markdown.ts";
import { fc } from "@hearth/device/testing";

const leaves: Leaves = {
  text: (text) => text,
  codeBlock: ({ text }, key) => createElement("pre", { key }, text),
  link: ({ href, children }, key) => createElement("a", { key, href }, children),
  task: (checked) => (checked ? "done" : "open"),
};

interface Seen {
  readonly tag: unknown;
  readonly props: readonly string[];
}

function seenIn(node: ReactNode): readonly Seen[] {
  if (Array.isArray(node)) return node.flatMap((child: ReactNode) => seenIn(child));
  if (!isValidElement<Record<string, ReactNode>>(node)) return [];
  const { children, ...others } = node.props;
  return [{ tag: node.type, props: Object.keys(others) }, ...seenIn(children)];
}

const allowed: Readonly<Record<string, readonly string[]>> = {
  p: ["className"],
  br: [],
  strong: [],
  em: [],
  del: [],
  code: [],
  blockquote: [],
  ul: [],
  ol: ["start"],
  li: [],
  hr: [],
  pre: [],
  a: ["href"],
};

const hostile = fc.constantFrom(
  ...Array.from("*_~`[]()<>!#- \n"),
  "```",
  "<img src=x onerror=y>",
  "[a](javascript:1)",
  "[a](https://a.example)",
  "![a](https://a.example)",
  "__proto__",
  "dangerouslySetInnerHTML",
  "style=",
  "1. ",
  "> ",
);

describe("elements of a message", () => {
  it("are none but the allowed ones, with no property but the allowed ones", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(hostile, fc.string()), { maxLength: 60 }), (parts) => {
        for (const { tag, props } of seenIn(blockElements(readMarkdown(parts.join("")), "", leaves))) {
          expect(typeof tag === "string" && tag in allowed).toBe(true);
          expect(allowed[String(tag)]).toEqual(expect.arrayContaining([...props]));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("keep the first number of a list", () => {
    const [list] = seenIn(blockElements(readMarkdown("7. a\n8. b"), "", leaves));
    expect(list).toEqual({ tag: "ol", props: ["start"] });
  });
});
