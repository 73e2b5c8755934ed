import { Marked } from "marked";
import type { Token, Tokens } from "marked";
import { chunksOf } from "./chunks.ts";
import type { Chunk } from "./chunks.ts";
import { safeLink, saysDestination } from "./safe-link.ts";
import type { Block, Inline, ListItem } from "./tree.ts";

/** Quotes in quotes and lists in lists beyond this are shown as they were written. */
const MAX_DEPTH = 8;
const MAX_LANGUAGE_LENGTH = 24;
const DEEP_LINE = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){9}/m;

const never = (): undefined => undefined;

/** HTML, indented code, tables and link definitions are no part of a chat: they stay the text that they are. */
const reader = new Marked({
  gfm: true,
  breaks: true,
  tokenizer: { html: never, tag: never, code: never, table: never, def: never, lheading: never },
});

const text = (value: string): Inline => ({ kind: "text", text: value });

/** Text as it was written, its line breaks kept. */
const written = (value: string): readonly Inline[] =>
  value
    .split("\n")
    .flatMap((line, index): Inline[] => [...(index === 0 ? [] : [{ kind: "break" } as const]), text(line)])
    .filter((inline) => inline.kind !== "text" || inline.text !== "");

const paragraph = (value: string): Block => ({ kind: "paragraph", children: written(value) });

export const textOf = (inlines: readonly Inline[]): string =>
  inlines
    .map((inline) => {
      if (inline.kind === "break") return " ";
      return "text" in inline ? inline.text : textOf(inline.children);
    })
    .join("");

function linkOf(href: string, children: readonly Inline[], raw: string): Inline {
  const link = safeLink(href);
  if (link === null) return text(raw);
  const isClear = saysDestination(textOf(children), link.destination);
  return { kind: "link", href: link.href, destination: isClear ? null : link.destination, children };
}

const styles = { strong: "strong", em: "emphasis", del: "strike" } as const;

function inlineOf(token: Token, depth: number): readonly Inline[] {
  const inside = (tokens: readonly Token[] | undefined, raw: string): readonly Inline[] =>
    tokens === undefined || depth >= MAX_DEPTH
      ? written(raw)
      : tokens.flatMap((it) => inlineOf(it, depth + 1));
  switch (token.type) {
    case "strong":
    case "em":
    case "del": {
      const { type, tokens, text: content } = token as Tokens.Strong | Tokens.Em | Tokens.Del;
      return [{ kind: styles[type], children: inside(tokens, content) }];
    }
    case "codespan":
      return [{ kind: "code", text: (token as Tokens.Codespan).text }];
    case "br":
      return [{ kind: "break" }];
    case "link": {
      const { href, tokens, text: content, raw } = token as Tokens.Link;
      return [linkOf(href, inside(tokens, content), raw)];
    }
    case "image": {
      const { href, text: alt, raw } = token as Tokens.Image;
      return [linkOf(href, [text(alt === "" ? href : alt)], raw)];
    }
    case "escape":
      return [text((token as Tokens.Escape).text)];
    case "text": {
      const { tokens, raw } = token as Tokens.Text;
      return inside(tokens, raw);
    }
    default:
      return written(token.raw);
  }
}

const inlinesOf = (tokens: readonly Token[] | undefined, raw: string): readonly Inline[] =>
  tokens === undefined ? written(raw) : tokens.flatMap((token) => inlineOf(token, 0));

function itemOf({ task, checked, tokens }: Tokens.ListItem, depth: number): ListItem {
  const content = tokens.filter(({ type }) => type !== "checkbox");
  return { checked: task ? checked === true : null, children: blocksOf(content, depth + 1) };
}

/** One short word behind the fence names the language of the code; anything else there is a line of the code itself. */
function codeOf({ lang = "", text: content }: Tokens.Code): Block {
  const isLanguage = content !== "" && lang.length <= MAX_LANGUAGE_LENGTH && !/\s/.test(lang);
  if (isLanguage) return { kind: "code", language: lang, text: content };
  return { kind: "code", language: "", text: [lang, content].filter((part) => part !== "").join("\n") };
}

function blockOf(token: Token, depth: number): readonly Block[] {
  if (depth > MAX_DEPTH) return [paragraph(token.raw)];
  switch (token.type) {
    case "space":
      return [];
    case "paragraph":
    case "text":
    case "heading": {
      const { type, tokens, raw } = token as Tokens.Paragraph | Tokens.Text | Tokens.Heading;
      const children = inlinesOf(tokens, raw);
      return [{ kind: type === "heading" ? "heading" : "paragraph", children }];
    }
    case "code":
      return [codeOf(token as Tokens.Code)];
    case "blockquote":
      return [{ kind: "quote", children: blocksOf((token as Tokens.Blockquote).tokens, depth + 1) }];
    case "list": {
      const { ordered, start, items } = token as Tokens.List;
      const first = ordered && typeof start === "number" ? start : null;
      return [{ kind: "list", start: first, items: items.map((item) => itemOf(item, depth)) }];
    }
    case "hr":
      return [{ kind: "rule" }];
    default:
      return [paragraph(token.raw.trimEnd())];
  }
}

const blocksOf = (tokens: readonly Token[], depth: number): readonly Block[] =>
  tokens.flatMap((token) => blockOf(token, depth));

function read({ text: content, isPlain }: Chunk): readonly Block[] {
  if (isPlain || DEEP_LINE.test(content)) return [paragraph(content.trim())];
  try {
    return blocksOf(reader.lexer(content), 0);
  } catch {
    // Nested deeper than the reader can follow.
    return [paragraph(content.trim())];
  }
}

/** The blocks of a message. Whatever cannot be shown is shown as the text that it is; no text is lost, no HTML is made. */
export const readMarkdown = (content: string): readonly Block[] =>
  chunksOf(content.replaceAll("\r\n", "\n")).flatMap(read);
