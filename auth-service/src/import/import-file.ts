/** One element of the imported array and the line of the file on which it begins. */
export interface FileRow {
  readonly line: number;
  readonly value: unknown;
}

/** The file as a whole cannot be read; `line` tells where. */
export class UnreadableFile extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = "UnreadableFile";
    this.line = line;
  }
}

/** Matches whole strings, so that a bracket or line break inside a string does not count as structure. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]|[^\s"[\]{},:]+/g;

const lineAt = (text: string, end: number): number => text.slice(0, end).split("\n").length;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof SyntaxError ? error.message : "";
    const position = /at position (\d+)/.exec(message)?.[1];
    throw new UnreadableFile(
      lineAt(text, position === undefined ? text.length : Number(position)),
      "not valid JSON",
    );
  }
}

/** The lines on which the elements of the first array begin; `text` must be valid JSON. */
function elementLines(text: string): number[] {
  const lines: number[] = [];
  let depth = 0;
  let arrayDepth = 0;
  let expected = false;
  let line = 1;
  let counted = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    for (; counted < index; counted += 1) if (text[counted] === "\n") line += 1;
    if (expected && token !== "]") lines.push(line);
    expected = false;
    if (token === "[" && arrayDepth === 0) arrayDepth = depth + 1;
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" && depth === arrayDepth) return lines;
    if (token === "]" || token === "}") depth -= 1;
    expected = arrayDepth > 0 && depth === arrayDepth && (token === "[" || token === ",");
  }
  return lines;
}

function arrayOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value !== "object" || value === null) return null;
  const [only, ...others] = Object.entries(value);
  return others.length === 0 && only?.[0] === "users" && Array.isArray(only[1])
    ? (only[1] as unknown[])
    : null;
}

/** AU9: reads an array of accounts, bare or as the only member, `users`, of an object. Throws {@link UnreadableFile}. */
export function readRows(file: string): FileRow[] {
  const text = file.replace(/^\uFEFF/, "");
  const elements = arrayOf(parse(text));
  if (elements === null) throw new UnreadableFile(1, 'expected an array of accounts, or {"users": [...]}');
  const lines = elementLines(text);
  return elements.map((value, index) => ({ line: lines[index] ?? 1, value }));
}
