import { describe, expect, it } from "@jest/globals";
import { suggestEmoji, suggestPeople } from "./suggestion.ts";

describe("suggestions", () => {
  it("are people by name, never oneself", () => {
    const people = [
      { userId: "me", displayName: "Adam" },
      { userId: "1", displayName: "Ada Lovelace" },
    ];
    expect(suggestPeople(people, "ad", "me")).toEqual([
      { key: "1", insert: "@Ada Lovelace", label: "Ada Lovelace", person: people[1] },
    ]);
  });

  it("are the account's own emoji first, and eight at most", () => {
    const found = Array.from({ length: 10 }, (_, index) => ({
      emoji: `e${index}`,
      shortcode: `party${index}`,
    }));
    const suggested = suggestEmoji([{ shortcode: "party_parrot", url: "blob:x" }], found, "par");
    expect(suggested.map(({ insert }) => insert)).toEqual([
      ":party_parrot:",
      "e0",
      "e1",
      "e2",
      "e3",
      "e4",
      "e5",
      "e6",
    ]);
  });
});
