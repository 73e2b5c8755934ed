import path from "node:path";
import { describe, expect, it } from "@jest/globals";
import { programNamed } from "./programs.ts";

describe("programs of the machine", () => {
  it("are found on the path", () => {
    const folder = path.dirname(process.execPath);
    expect(programNamed(path.basename(process.execPath), `/nowhere:${folder}`)).toBe(process.execPath);
  });

  it("are named where there are none", () => {
    expect(() => programNamed("no-such-program", "/nowhere")).toThrow("This needs no-such-program");
  });
});
