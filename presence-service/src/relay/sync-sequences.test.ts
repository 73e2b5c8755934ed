import { describe, expect, it } from "@jest/globals";
import { createSyncSequences } from "./sync-sequences.ts";

describe("the sequences of account_sync", () => {
  it("AS1 accepts each number once, and none after a newer one", () => {
    const sequences = createSyncSequences();
    const heard = [1, 3, 2, 3, 4, 1].map((sequence) => sequences.take("ada", "c1", sequence));
    expect(heard).toEqual([true, true, false, false, true, false]);
  });

  it("AS1 counts each connection of each account separately", () => {
    const sequences = createSyncSequences();
    sequences.take("ada", "c1", 9);
    expect(sequences.take("ada", "c2", 1)).toBe(true);
    expect(sequences.take("bob", "c1", 1)).toBe(true);
    expect(sequences.take("ada", "c1", 8)).toBe(false);
  });

  it("forgets one account and no other", () => {
    const sequences = createSyncSequences();
    for (const oderId of ["ada", "bob"]) sequences.take(oderId, "c1", 9);
    sequences.forget("ada");
    expect(sequences.take("ada", "c1", 1)).toBe(true);
    expect(sequences.take("bob", "c1", 1)).toBe(false);
  });

  it("remembers 256 connections of an account, and forgets the one that has been silent longest", () => {
    const sequences = createSyncSequences();
    for (let n = 0; n < 256; n += 1) sequences.take("ada", `c${n}`, 5);
    sequences.take("ada", "c0", 6);
    sequences.take("ada", "one more", 5);
    expect(sequences.take("ada", "c0", 5)).toBe(false);
    expect(sequences.take("ada", "c2", 5)).toBe(false);
    expect(sequences.take("ada", "c1", 5)).toBe(true);
  });
});
