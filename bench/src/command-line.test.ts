import { describe, expect, it } from "@jest/globals";
import { readCommandLine } from "./command-line.ts";

describe("the command line", () => {
  it("reads a program and its options", () => {
    expect(readCommandLine(["fanout", "--quick", "--json", "out.json"])).toEqual({
      program: "fanout",
      part: undefined,
      quick: true,
      json: "out.json",
      repetitions: 1,
    });
    expect(readCommandLine(["login", "--repetitions", "7"])).toMatchObject({ quick: false, repetitions: 7 });
    expect(readCommandLine(["login"]).repetitions).toBe(4);
    expect(readCommandLine(["cluster", "--part", "crossing"]).part).toBe("crossing");
  });

  it.each([
    [[], "Name one program"],
    [["a", "b"], "Name one program"],
    [["a", "--repetitions", "0"], "whole number"],
    [["a", "--fast"], "--fast"],
  ])("refuses %j", (args, problem) => {
    expect(() => readCommandLine(args)).toThrow(problem);
  });
});
