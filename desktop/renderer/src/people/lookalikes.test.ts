import { describe, expect, it } from "@jest/globals";
import { lookalikesAmong } from "./lookalikes.ts";

const people = (...names: readonly string[]) =>
  names.map((displayName, index) => ({ userId: `${index}`, displayName }));

describe("people whose names look alike", () => {
  it.each([
    ["Ada", "Ada"],
    ["Ada", "ada"],
    ["Ada", "Аdа"],
    ["Ada", "A d a"],
    ["Ada", "Àda"],
    ["Bill", "BiII"],
    ["Paypal", "PayPa1"],
    ["Tom", "Tοm"],
    ["Mia", "rnia"],
    ["Ada Lovelace", "ada.lovelace"],
  ])("AB8 are told apart: %s and %s", (one, other) => {
    expect([...lookalikesAmong(people(one, "Somebody else", other))].sort()).toEqual(["0", "2"]);
  });

  it("AB8 are not those with names of their own, nor one person who is listed twice", () => {
    expect(lookalikesAmong(people("Ada", "Adam", "Eda", "Bob")).size).toBe(0);
    expect(lookalikesAmong([...people("Ada"), ...people("Ada")]).size).toBe(0);
  });
});
