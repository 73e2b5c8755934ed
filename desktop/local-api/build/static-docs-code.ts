import type { MarkdownOptions } from "vitepress";

type Transformers = NonNullable<MarkdownOptions["codeTransformers"]>;
type Theme = Exclude<MarkdownOptions["theme"], string | undefined>;

const scopes: Readonly<Record<string, readonly string[]>> = {
  comment: ["comment", "punctuation.definition.comment", "string.quoted.docstring"],
  string: ["string", "punctuation.definition.string", "support.type.property-name.json"],
  number: ["constant.numeric", "constant.language"],
  keyword: ["keyword", "storage", "variable.language", "keyword.operator.expression"],
  name: ["entity.name.function", "support.function", "entity.name.command", "support.class"],
  option: ["constant.other.option", "variable.other.normal.shell", "punctuation.definition.variable.shell"],
};

const settings = Object.entries(scopes).map(([kind, scope]) => ({
  scope: [...scope],
  settings: { foreground: `var(--code-${kind})` },
}));

/** Code in the colours of `theme.css`, for light and dark. */
export const codeTheme = {
  name: "hearth",
  type: "light",
  colors: { "editor.foreground": "var(--code-text)", "editor.background": "var(--code-paper)" },
  settings: [{ settings: { foreground: "var(--code-text)" } }, ...settings],
} as Theme;

/** The content security policy allows classes, but no style attributes. */
export const classesForStyles: Transformers[number] = {
  name: "hearth-classes-for-styles",
  span(node) {
    const [, kind] = /var\(--code-([a-z]+)\)/.exec(String(node.properties["style"])) ?? [];
    delete node.properties["style"];
    if (kind !== undefined && kind !== "text") node.properties["class"] = `code-${kind}`;
  },
  pre(node) {
    delete node.properties["style"];
  },
};
