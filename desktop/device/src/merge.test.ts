import { describe, expect, it } from "@jest/globals";
import { nextChangeTime } from "./change-time.ts";
import { isStrongerReaction, mergedDelivery, messageState } from "./message-merge.ts";
import { isNewer, mergedMembership, outlives } from "./record-merge.ts";
import { looksSecret } from "./secret-names.ts";

describe("the merge rules of a device", () => {
  it("AS4 let a removal win over every edit, and the greatest of several edits", () => {
    const edits = [
      { revision: 1, editedAt: 9, content: "one" },
      { revision: 2, editedAt: 3, content: "two" },
    ];
    expect(messageState("zero", [], undefined)).toMatchObject({
      content: "zero",
      revision: 0,
      editedAt: null,
    });
    expect(messageState("zero", edits, undefined)).toMatchObject({
      content: "two",
      revision: 2,
      editedAt: 3,
    });
    const removed = { content: "", revision: 0, editedAt: null, deletedAt: 4 };
    expect(messageState("zero", edits, { deletedAt: 4 })).toEqual(removed);
  });

  it("keep a message sent", () => {
    expect(mergedDelivery("sent", "failed")).toBe("sent");
    expect(mergedDelivery("failed", "pending")).toBe("pending");
  });

  it("prefer the removal of two reactions with the same time", () => {
    const added = { present: true, at: 1 };
    const removed = { present: false, at: 1 };
    expect([isStrongerReaction(removed, added), isStrongerReaction(added, removed)]).toEqual([true, false]);
    expect(isStrongerReaction({ present: true, at: 2 }, removed)).toBe(true);
  });

  it("decide between records with the same time by their content, whatever the order of their fields", () => {
    const a = { updatedAt: 1, name: "a", list: [{ x: 1, y: 2 }] };
    const b = { list: [{ y: 3, x: 1 }], name: "a", updatedAt: 1 };
    expect([isNewer(a, b), isNewer(b, a)]).toEqual([false, true]);
    expect(isNewer(a, { list: [{ y: 2, x: 1 }], name: "a", updatedAt: 1 })).toBe(false);
    expect(isNewer({ ...a, updatedAt: 2 }, b)).toBe(true);
  });

  it("keep when a member was last seen, and reset it with a new membership", () => {
    const known = { role: "owner", joinedAt: 1, lastSeenAt: 9 } as const;
    const told = { role: "member", joinedAt: 1, lastSeenAt: null } as const;
    expect(mergedMembership(told, known)).toEqual({ ...told, lastSeenAt: 9 });
    expect(mergedMembership({ ...told, joinedAt: 2 }, known)).toEqual({ ...told, joinedAt: 2 });
    expect(mergedMembership({ ...told, joinedAt: 0 }, known)).toEqual(known);
  });

  it("let only what began after a removal outlive it", () => {
    expect([outlives(5, undefined), outlives(5, 4), outlives(5, 5)]).toEqual([true, true, false]);
  });

  it("date no change before it happened, nor before another", () => {
    expect([nextChangeTime(5, 9), nextChangeTime(9, 9), nextChangeTime(9, 2)]).toEqual([9, 10, 10]);
    expect(nextChangeTime(5, 9.7)).toBe(9);
  });

  it("L19 detect names that may hold a secret", () => {
    for (const name of ["authTokens", "PROVISION", "pass-word", "Credential", "api_key"]) {
      expect([name, looksSecret(name)]).toEqual([name, true]);
    }
    for (const name of ["app_currentUserId", "homeSignalServerUrl", "lastSync", "compass"]) {
      expect([name, looksSecret(name)]).toEqual([name, false]);
    }
  });
});
