import { describe, expect, it } from "@jest/globals";
import { UnreadableFile, readRows } from "./import-file.ts";

const linesOf = (text: string): number[] => readRows(text).map(({ line }) => line);

describe("import file", () => {
  it("AU9 reports for every account the line it begins on", () => {
    expect(
      linesOf('[\n  {"username": "a"},\n  {\n    "username": "b"\n  }, {"username": "c"},\n\n  4\n]\n'),
    ).toEqual([2, 3, 5, 7]);
    expect(linesOf('[{"a":1},{"a":2}]')).toEqual([1, 1]);
    expect(linesOf("[]")).toEqual([]);
  });

  it("AU9 also accepts the array as the only member `users`", () => {
    const rows = readRows('{\r\n  "users": [\r\n    {"username": "a"},\r\n    {"username": "b"}\r\n  ]\r\n}');
    expect(rows).toEqual([
      { line: 3, value: { username: "a" } },
      { line: 4, value: { username: "b" } },
    ]);
  });

  it("AU9 ignores brackets, commas, quotes and line breaks inside values", () => {
    const tricky = [
      '[],{}:"\\',
      "\n",
      ["nested", ["deeper", {}]],
      { list: [1, 2, { a: [] }] },
      null,
      true,
      -1.5e3,
    ];
    const text = `[\n${tricky.map((value) => JSON.stringify(value)).join(",\n")}\n]`;
    const rows = readRows(text);
    expect(rows.map(({ value }) => value)).toEqual(tricky);
    expect(rows.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  });

  it("AU9 reads long values and a byte order mark", () => {
    const text = `\uFEFF[\n${JSON.stringify('x\\"'.repeat(500_000))},\n1]`;
    expect(linesOf(text)).toEqual([2, 3]);
  });

  it.each([
    ["cut off", '[\n{"a": 1},\n', 3],
    ["a comma too many", '[\n{"a": 1},\n]', 3],
    ["empty", "", 1],
    ["a number", "12", 1],
    ["null", "null", 1],
    ["another member", '{"accounts": []}', 1],
    ["more than one member", '{"users": [], "version": 1}', 1],
    ["users that are no array", '{"users": {}}', 1],
  ])("AU9 refuses as a whole, naming the line: %s", (_name, text, line) => {
    const read = () => readRows(text);
    expect(read).toThrow(UnreadableFile);
    try {
      read();
    } catch (error) {
      expect((error as UnreadableFile).line).toBe(line);
    }
  });
});
