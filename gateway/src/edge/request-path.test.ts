import { describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { readRequestPath } from "./request-path.ts";

const codeOf = (target: string): string => {
  try {
    return readRequestPath(target).path;
  } catch (error) {
    return error instanceof ProblemError ? error.code : String(error);
  }
};

describe("a request target", () => {
  it.each([
    ["/", "/", ""],
    ["/api/servers?limit=5&tag=a/../b", "/api/servers", "?limit=5&tag=a/../b"],
    ["/api/users/device-tokens/x/phone%3A1", "/api/users/device-tokens/x/phone%3A1", ""],
    ["/caf%C3%A9", "/caf%C3%A9", ""],
    ["http://evil.test/api/servers?x", "/api/servers", "?x"],
    ["HTTP://evil.test", "/", ""],
    ["http://evil.test?x=1", "/", "?x=1"],
    ["/a...b/.hidden/c.", "/a...b/.hidden/c.", ""],
  ])("GW1 R27 %s is %s with %s, whatever authority it names", (target, path, search) => {
    expect(readRequestPath(target)).toEqual({ path, search });
  });

  it.each([
    "/api/users/../servers",
    "/api/./servers",
    "/..",
    "/api/users/%2e%2e/servers",
    "/api/users/%2E%2E%2Fservers",
    "/api/users%2fme",
    "/api/users%5Cme",
    "/api\\users",
    "/api/%00",
    "/api/%7f",
    "/api/%0d%0aX:1",
    "/api/%E0%A4%A",
    "/api/%ff",
    "/api/%",
    "/api/<x>",
    "/api/caf\u00e9",
    "*",
    "api/users",
    "ftp://host/x",
    "http:/api",
  ])("R25 %s is refused and never another route", (target) => {
    expect(codeOf(target)).toBe("INVALID_REQUEST");
  });

  it.each(["//evil.test/api/servers", "/api//servers", "http://evil.test//x"])(
    "R27 %s is no address of ours",
    (target) => {
      expect(codeOf(target)).toBe("NOT_FOUND");
    },
  );
});
