import { describe, expect, it } from "@jest/globals";
import { findMentions } from "@hearth/client";
import { partsOf } from "./text-parts.ts";
import { fc } from "@hearth/device/testing";

const people = [
  { userId: "1", displayName: "Ada" },
  { userId: "2", displayName: "Ada Lovelace" },
];
const parts = (text: string) =>
  partsOf(text, findMentions(text, people), (shortcode) => shortcode === "party").map(
    (part) => `${part.kind}:${part.text}`,
  );

describe("parts of a text", () => {
  it("are its mentions, the longest name counting, and the account's emoji", () => {
    expect(parts("hi @Ada Lovelace and @ada, :party::party: :nope:")).toEqual([
      "text:hi ",
      "mention:@Ada Lovelace",
      "text: and ",
      "mention:@ada",
      "text:, ",
      "emoji::party:",
      "emoji::party:",
      "text: :nope:",
    ]);
    expect(parts("12:30:party:")).toEqual(["text:12:30", "emoji::party:"]);
  });

  it("are the whole text together", () => {
    const pieces = fc.constantFrom("@Ada", "@Ada Lovelace", ":party:", ":", "x", " ", "@", "`");
    fc.assert(
      fc.property(fc.array(pieces), (some) => {
        const text = some.join("");
        const joined = partsOf(text, findMentions(text, people), () => true).map((part) => part.text);
        expect(joined.join("")).toBe(text);
      }),
    );
  });
});
