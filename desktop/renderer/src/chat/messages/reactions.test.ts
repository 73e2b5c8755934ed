import { describe, expect, it } from "@jest/globals";
import { namesOf, reactionGroups } from "./reactions.ts";

const reaction = (emoji: string, userId: string) => ({ messageId: "m", emoji, userId, createdAt: 0 });

describe("reactions", () => {
  it("are grouped in the order of the first of each, one for each person", () => {
    const reactions = [reaction("🎉", "a"), reaction("👍", "b"), reaction("🎉", "me"), reaction("🎉", "a")];
    expect(reactionGroups(reactions, "me")).toEqual([
      { emoji: "🎉", userIds: ["a", "me"], isOwn: true },
      { emoji: "👍", userIds: ["b"], isOwn: false },
    ]);
  });

  it("name who is known, this account last, and count the others", () => {
    const names = new Map(Array.from({ length: 12 }, (_, index) => [`u${index}`, `N${index}`]));
    const about = { ownId: "me", you: "you", nameOf: (id: string) => names.get(id) };
    expect(namesOf(["u0", "me", "u1"], about)).toEqual({ names: ["N0", "N1", "you"], others: 0 });
    expect(namesOf(["x", "u0"], about)).toEqual({ names: ["N0"], others: 1 });
    expect(namesOf([...names.keys()], about)).toMatchObject({ others: 4 });
  });
});
