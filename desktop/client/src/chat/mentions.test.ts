import { describe, expect, it } from "@jest/globals";
import { findMentions, mentionsIn } from "./mentions.ts";
import { fc } from "@hearth/device/testing";

const people = [
  { userId: "ada", displayName: "Ada" },
  { userId: "ada-l", displayName: "Ada Lovelace" },
  { userId: "zoe", displayName: "Zoë" },
  { userId: "twin-1", displayName: "Kim" },
  { userId: "twin-2", displayName: "kim" },
  { userId: "blank", displayName: " " },
  { userId: "cat", displayName: "🐈 cat" },
];

describe("mentions in a text", () => {
  it.each([
    ["hello @Ada", ["ada"]],
    ["@ada, are you there?", ["ada"]],
    ["ask @Ada Lovelace about it", ["ada-l"]],
    ["(@Zoë)", ["zoe"]],
    ["@zoe\u0308!", ["zoe"]],
    ["@ZOË", ["zoe"]],
    ["@Kim", ["twin-1", "twin-2"]],
    ["@🐈 cat.", ["cat"]],
    ["@Ada @Ada @Zoë", ["ada", "zoe"]],
    ["@Adalbert", []],
    ["mail@ada", []],
    ["@nobody", []],
    ["@ Ada", []],
    ["`@Ada` is how to write it", []],
    ["```\n@Ada\n``` @Zoë", ["zoe"]],
    ["an open ` tick @Ada", ["ada"]],
    ["", []],
  ])("%j mentions %j", (text, ids) => {
    expect(mentionsIn(text, people)).toEqual(ids);
  });

  it("finds the position of a mention", () => {
    const [mention] = findMentions("hi @Ada Lovelace!", people);
    expect(mention).toEqual({ start: 3, end: 16, userIds: ["ada-l"] });
  });

  it("finds everybody whose name occurs in a text, whatever surrounds it", () => {
    const person = fc.constantFrom(...people.filter(({ userId }) => userId !== "blank"));
    const noise = fc.constantFrom(" ", ", ", "\n", " (", "! ", " – ");
    fc.assert(
      fc.property(fc.array(fc.tuple(noise, person), { maxLength: 20 }), (parts) => {
        const text = `${parts.map(([gap, { displayName }]) => `${gap}@${displayName}`).join("")}.`;
        const found = new Set(mentionsIn(text, people));
        expect(parts.every(([, { userId }]) => found.has(userId))).toBe(true);
      }),
    );
  });

  it.each(["@", "`", "@Ada ", "` `` ``` ", "@a`"])("handles many repetitions of %j quickly", (part) => {
    const begin = performance.now();
    findMentions(part.repeat(65_536 / part.length), people);
    expect(performance.now() - begin).toBeLessThan(1_000);
  });

  it("terminates for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
        for (const { start, end } of findMentions(`@${text}@`, people)) expect(end).toBeGreaterThan(start);
      }),
    );
  });
});
