import { describe, expect, it } from "@jest/globals";
import { CHUNK_LENGTH } from "./chunks.ts";
import { readMarkdown, textOf } from "./read-markdown.ts";
import type { Block, Inline } from "./tree.ts";
import { fc } from "@hearth/device/testing";

const inlinesOf = (blocks: readonly Block[]): readonly Inline[] =>
  blocks.flatMap((block): readonly Inline[] => {
    switch (block.kind) {
      case "paragraph":
      case "heading":
        return block.children;
      case "quote":
        return inlinesOf(block.children);
      case "list":
        return block.items.flatMap(({ children }) => inlinesOf(children));
      case "code":
        return [{ kind: "code", text: block.text }];
      case "rule":
        return [];
    }
  });

const languagesOf = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap((block): readonly string[] => {
    if (block.kind === "code") return [block.language];
    if (block.kind === "quote") return languagesOf(block.children);
    return block.kind === "list" ? block.items.flatMap(({ children }) => languagesOf(children)) : [];
  });

const everyInline = (inlines: readonly Inline[]): readonly Inline[] =>
  inlines.flatMap((inline) => ["children" in inline ? everyInline(inline.children) : [], inline].flat());

const one = (content: string): readonly Inline[] => inlinesOf(readMarkdown(content));
const words = (content: string): string =>
  one(content)
    .map((inline) => textOf([inline]))
    .join("");

describe("markdown of a message", () => {
  it("knows emphasis, code, strikethrough and line breaks", () => {
    expect(one("**a** *b* ~~c~~ `d`\ne")).toEqual([
      { kind: "strong", children: [{ kind: "text", text: "a" }] },
      { kind: "text", text: " " },
      { kind: "emphasis", children: [{ kind: "text", text: "b" }] },
      { kind: "text", text: " " },
      { kind: "strike", children: [{ kind: "text", text: "c" }] },
      { kind: "text", text: " " },
      { kind: "code", text: "d" },
      { kind: "break" },
      { kind: "text", text: "e" },
    ]);
  });

  it("knows lists, tasks, quotes, headings, rules and fenced code", () => {
    const blocks = readMarkdown("# h\n\n> q\n\n3. a\n4. b\n\n- [x] done\n\n---\n\n```ts\n<b>\n```");
    expect(blocks.map(({ kind }) => kind)).toEqual(["heading", "quote", "list", "list", "rule", "code"]);
    expect(blocks[2]).toMatchObject({ start: 3 });
    expect(blocks[3]).toMatchObject({ start: null, items: [{ checked: true }] });
    expect(blocks[5]).toEqual({ kind: "code", language: "ts", text: "<b>" });
  });

  it.each([
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "a <b>bold</b> c",
    "<!-- hidden -->",
    "<details>\n\n**x**\n\n</details>",
  ])("leaves HTML the text that it is: %s", (content) => {
    expect(words(content).replaceAll("x", "")).toBe(
      content.replaceAll(/\n+/g, "").replaceAll("**", "").replaceAll("x", ""),
    );
  });

  it.each([
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](data:text/html,x)",
    "[a](vbscript:x)",
    "[a](//evil.example)",
    "[a](/settings)",
    "[a](file:///etc/passwd)",
    "![a](blob:x)",
    "<javascript:alert(1)>",
    "[a](  \u0001javascript:alert(1))",
  ])("makes no link of %s", (content) => {
    expect(everyInline(one(content)).filter(({ kind }) => kind === "link")).toEqual([]);
    expect(words(content)).toContain("a");
  });

  it("shows where a link leads when its text does not", () => {
    const destinations = (content: string) =>
      everyInline(one(content)).flatMap((inline) => (inline.kind === "link" ? [inline.destination] : []));
    expect(destinations("https://a.example/x?y")).toEqual([null]);
    expect(destinations("[docs](https://a.example/x)")).toEqual(["a.example"]);
    expect(destinations("[https://bank.example](https://evil.example)")).toEqual(["evil.example"]);
    expect(destinations("[bank.example.evil.example](https://bank.example)")).toEqual(["bank.example"]);
    expect(destinations("<https://bank.example@evil.example/>")).toEqual(["evil.example"]);
    expect(destinations("<https://b\u0430nk.example/>")).toEqual(["xn--bnk-6cd.example"]);
    expect(destinations("ada@a.example")).toEqual([null]);
    expect(destinations("[write](mailto:ada@a.example)")).toEqual(["ada@a.example"]);
  });

  it("loads no image: it is a link to one", () => {
    expect(one("![cat](https://a.example/cat.png)")).toEqual([
      {
        kind: "link",
        href: "https://a.example/cat.png",
        destination: "a.example",
        children: [{ kind: "text", text: "cat" }],
      },
    ]);
  });

  it.each([
    [">", 65_536],
    ["> ", 32_768],
    ["1. ", 21_845],
    ["- ", 32_768],
    ["> - ", 16_384],
    ["*a ", 21_845],
    ["[", 65_536],
    ["*a**b", 13_107],
    [" ", 65_536],
    ["a.-_+", 13_107],
    ["~a~~", 16_384],
    ["```\n", 16_384],
    ["[a](", 16_384],
    ["x\n\n**", 13_107],
  ])("bounds the work of %j repeated %i times", (piece, times) => {
    const begun = performance.now();
    const blocks = readMarkdown(piece.repeat(times));
    expect(Array.isArray(blocks)).toBe(true);
    // Without bounds these take from many seconds up to minutes, or overflow the stack.
    expect(performance.now() - begun).toBeLessThan(4_000);
  });

  it("reads a long text in parts and loses none of it", () => {
    const content = Array.from({ length: 900 }, (_, index) => `word${index} **b**`).join("\n\n");
    expect(content.length).toBeGreaterThan(2 * CHUNK_LENGTH);
    expect(words(content)).toBe(content.replaceAll(/\n\n|\*\*/g, ""));
  });

  it.each([
    [">~~~word", "", "word"],
    ["- ~~~word", "", "word"],
    ["```\n```", "", ""],
    ["~~~ts\nx", "ts", "x"],
    ["~~~not a language\nx", "", "not a language\nx"],
    [`~~~${"l".repeat(25)}\nx`, "", `${"l".repeat(25)}\nx`],
  ])("loses nothing of what stands behind a fence: %j", (content, language, code) => {
    expect(languagesOf(readMarkdown(content))).toEqual([language]);
    expect(words(content)).toBe(code);
  });

  it("keeps a fenced block whole however long it is", () => {
    const code = "line\n\n".repeat(3_000).trimEnd();
    expect(readMarkdown(`before\n\n\`\`\`\n${code}\n\`\`\`\nafter`)).toMatchObject([
      { kind: "paragraph" },
      { kind: "code", text: code },
      { kind: "paragraph" },
    ]);
  });
});

const pieces = fc.constantFrom(
  ...Array.from("*_~`[]()<>!#-+\\|&:@\"'= \n\t"),
  "```",
  "javascript:",
  "https://a.example",
  "<script>",
  "](",
  "![",
  "word",
  "1. ",
  "> ",
  "- [ ] ",
  "www.x.example",
  "\u202E",
  "\uD800",
  "<a href=",
);

const kinds = new Set(["text", "break", "strong", "emphasis", "strike", "code", "link"]);

describe("any text at all", () => {
  it("gives only what a message may show, and links only where they may lead", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 4, arbitrary: pieces }, fc.string()), { maxLength: 80 }),
        (parts) => {
          for (const inline of everyInline(inlinesOf(readMarkdown(parts.join(""))))) {
            expect(kinds.has(inline.kind)).toBe(true);
            if (inline.kind !== "link") continue;
            expect(new URL(inline.href).protocol).toMatch(/^(?:https?|mailto):$/);
          }
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it("keeps every letter", () => {
    const letters = (value: string): string =>
      Array.from(value.replaceAll(/[^a-z]/g, ""))
        .toSorted()
        .join("");
    const safe = fc.constantFrom(...Array.from("*_~`#->+ \n"), "word", "x", "**", "```\n");
    fc.assert(
      fc.property(fc.array(safe, { maxLength: 60 }), (parts) => {
        const content = `${parts.join("")}\n`;
        const blocks = readMarkdown(content);
        const shown = [...languagesOf(blocks), ...inlinesOf(blocks).map((it) => textOf([it]))];
        expect(letters(shown.join(""))).toBe(letters(content));
      }),
      { numRuns: 1_500 },
    );
  });
});
