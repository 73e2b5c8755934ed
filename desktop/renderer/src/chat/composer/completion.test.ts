import { describe, expect, it } from "@jest/globals";
import { completed, completionAt, matching } from "./completion.ts";

const at = (text: string) => {
  const caret = text.indexOf("|");
  const found = completionAt(text.replace("|", ""), caret);
  return found === null ? null : `${found.kind} ${found.from}-${found.to} ${found.query}`;
};

describe("what can be completed", () => {
  it.each([
    ["@|", "mention 0-1 "],
    ["hello @ad|", "mention 6-9 ad"],
    ["(@Ada Lo|", "mention 1-8 Ada Lo"],
    ["@ad| rest", "mention 0-3 ad"],
    ["line\n@b|", "mention 5-7 b"],
    [":ta|", "emoji 0-3 ta"],
    ["so :+1|", "emoji 3-6 +1"],
    ["@ada :ta|", "emoji 5-8 ta"],
  ])("%j is %s", (text, expected) => expect(at(text)).toBe(expected));

  it.each([
    "|",
    "a|",
    "mail@example|",
    "@ |",
    "@ada  x|",
    "at 10:30|",
    ":|",
    ":a|",
    "http://x|",
    "@ada\n|",
    "a:tada|",
  ])("%j is nothing", (text) => expect(at(text)).toBeNull());
});

describe("a completion", () => {
  it("takes the place of what was written, and one space follows", () => {
    const completion = { kind: "mention", query: "ad", from: 3, to: 6 } as const;
    expect(completed("hi @ad", completion, "@Ada")).toEqual({ text: "hi @Ada ", caret: 8 });
    expect(completed("hi @ad you", completion, "@Ada")).toEqual({ text: "hi @Ada you", caret: 8 });
    expect(completed("hi @ad, you", completion, "@Ada")).toEqual({ text: "hi @Ada , you", caret: 8 });
  });
});

describe("matches of a name", () => {
  const people = ["Grace Hopper", "Ada Lovelace", "Zoë", "Adele", "Lada"];
  const found = (query: string) => matching(people, query, (name) => name);

  it("come by how they begin, then by a further word, then by what is in them", () => {
    expect(found("ad")).toEqual(["Ada Lovelace", "Adele", "Lada"]);
    expect(found("l")).toEqual(["Lada", "Ada Lovelace"]);
    expect(found("hop")).toEqual(["Grace Hopper"]);
  });

  it("do not mind case and marks", () => {
    expect(found("ZOE")).toEqual(["Zoë"]);
    expect(found("ada lovelace")).toEqual(["Ada Lovelace"]);
  });

  it("are all of them for nothing, and few", () => {
    expect(found("")).toEqual(people);
    expect(matching([...people, ...people], "", (name) => name)).toHaveLength(8);
    expect(found("xyz")).toEqual([]);
  });
});
