import { describe, expect, it } from "@jest/globals";
import { safeReturnUrl } from "./return-url.ts";

const ORIGIN = "https://talk.example";

describe("the return URL after signing in", () => {
  it.each([
    ["/", "/"],
    ["/rooms/1/2", "/rooms/1/2"],
    ["/directory?server=https%3A%2F%2Fb.example#top", "/directory?server=https%3A%2F%2Fb.example#top"],
    ["/invite/AbC123?server=http://b.example", "/invite/AbC123?server=http://b.example"],
    ["/rooms/a/../b", "/rooms/b"],
    ["/rooms/ü", "/rooms/%C3%BC"],
    [`${ORIGIN}/rooms/1?x#y`, "/rooms/1?x#y"],
    ["/rooms?next=//evil.example", "/rooms?next=//evil.example"],
  ])("CL3 a path of our own stays: %s", (text, path) => {
    expect(safeReturnUrl(text, ORIGIN)).toBe(path);
  });

  it("CL3 the desktop window has its own kind of origin", () => {
    expect(safeReturnUrl("/rooms/1", "app://hearth")).toBe("/rooms/1");
    expect(safeReturnUrl("app://hearth/rooms/1", "app://hearth")).toBe("/rooms/1");
    expect(safeReturnUrl("app://other/rooms/1", "app://hearth")).toBe("/");
  });

  it.each([
    ["nothing", null],
    ["an empty text", ""],
    ["another origin", "https://evil.example/rooms"],
    ["another origin that begins like ours", `${ORIGIN}.evil.example/rooms`],
    ["ours as a user of another", `${ORIGIN}@evil.example/rooms`],
    ["another origin without a scheme", "//evil.example"],
    ["three slashes", "///evil.example"],
    ["four slashes", "////evil.example"],
    ["a backslash", "/\\evil.example"],
    ["two backslashes", "\\\\evil.example"],
    ["a backslash further on", "/rooms\\..\\..\\evil"],
    ["our origin and two slashes", `${ORIGIN}//evil.example`],
    ["our origin and a backslash", `${ORIGIN}/\\evil.example`],
    ["a dot that leaves two slashes", "/.//evil.example"],
    ["dots that leave two slashes", "/rooms/..//evil.example"],
    ["encoded dots that leave two slashes", "/%2e//evil.example"],
    ["a tab that a parser drops", "/\t/evil.example"],
    ["a line break that a parser drops", "/\n/evil.example"],
    ["a carriage return that a parser drops", "\r//evil.example"],
    ["a NUL", "/rooms\u0000"],
    ["a right-to-left override", "/rooms/\u202Egpj"],
    ["a zero-width space", "/\u200B/evil.example"],
    ["a blank in front", " //evil.example"],
    ["script", "javascript:alert(1)"],
    ["script with capitals", "JaVaScRiPt:alert(1)"],
    ["script behind a tab", "java\tscript:alert(1)"],
    ["script that looks like a path", "javascript://x/%0aalert(1)"],
    ["data", "data:text/html,x"],
    ["vbscript", "vbscript:x"],
    ["blob", `blob:${ORIGIN}/x`],
    ["no slash", "rooms/1"],
    ["only a query", "?x"],
    ["only a fragment", "#x"],
    ["a scheme without slashes", "https:evil.example"],
    ["the login", "/login"],
    ["the login with a return", "/login?returnUrl=/login"],
    ["the login with a slash", "/login/"],
    ["the login in capitals", "/LOGIN"],
    ["the login, encoded", "/%6Cogin"],
    ["the login behind dots", "/rooms/../login"],
    ["the login behind an encoded slash", "/%2Flogin"],
    ["the register screen", "/register?mode=authorize&serverId=x"],
    ["what cannot be decoded", "/%E0%A4%A"],
    ["too much", `/${"a".repeat(3_000)}`],
  ])("CL3 becomes the home page: %s", (_what, text) => {
    expect(safeReturnUrl(text, ORIGIN)).toBe("/");
  });

  it("CL3 a result stays on our origin and is stable", () => {
    for (const text of ["/rooms/%2F%2Fevil.example", "/rooms/%5Cevil", "/a?b=\u0020c", "/rooms/.%2e/x"]) {
      const path = safeReturnUrl(text, ORIGIN);
      expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
      expect(safeReturnUrl(path, ORIGIN)).toBe(path);
    }
  });
});
