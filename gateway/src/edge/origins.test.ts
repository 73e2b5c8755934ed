import { IncomingMessage, ServerResponse } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { createOriginPolicy, isPreflight, normalOrigin } from "./origins.ts";

describe("an origin", () => {
  it.each([
    ["https://app.test", "https://app.test"],
    [" https://App.Test:443/ ", "https://app.test"],
    ["http://localhost:4200", "http://localhost:4200"],
    ["http://[::1]:80", "http://[::1]"],
    ["app://hearth", "app://hearth"],
    ["capacitor://localhost", "capacitor://localhost"],
  ])("C5 %s is written %s", (text, expected) => {
    expect(normalOrigin(text)).toBe(expected);
  });

  it.each([
    "*",
    "null",
    "app.test",
    "https://",
    "https://*.app.test",
    "https://app.test/x",
    "https://a@b",
    "https://a?b",
    "//a",
    "",
  ])("C5 %j is none", (text) => {
    expect(normalOrigin(text)).toBeUndefined();
  });
});

function marked(allowlist: readonly string[], headers: IncomingHttpHeaders, method = "GET") {
  const request = new IncomingMessage(new Socket());
  request.method = method;
  request.headers = headers;
  const response = new ServerResponse(request);
  createOriginPolicy(allowlist).mark(request, response);
  return response.getHeaders();
}

describe("CORS", () => {
  it("GW4 S12 an empty list lets every origin call, without credentials", () => {
    const headers = marked([], { origin: "https://any.test" });
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
  });

  it("GW4 S12 a list lets exactly its origins call", () => {
    const list = ["https://app.test"];
    const listed = marked(list, { origin: "https://app.test" });
    expect(listed["access-control-allow-origin"]).toBe("https://app.test");
    expect(listed["vary"]).toBe("Origin");
    for (const origin of ["https://evil.test", "https://app.test.evil.test", "http://app.test", "null"]) {
      const headers = marked(list, { origin });
      expect([origin, headers["access-control-allow-origin"]]).toEqual([origin, undefined]);
      expect(headers["vary"]).toBe("Origin");
    }
    expect(marked(list, {})["vary"]).toBe("Origin");
  });

  it("GW4 answers a preflight with the methods and the headers", () => {
    const headers = { origin: "https://app.test", "access-control-request-method": "PUT" };
    const answered = marked(["https://app.test"], headers, "OPTIONS");
    expect(answered["access-control-allow-methods"]).toContain("PUT");
    expect(answered["access-control-allow-headers"]).toContain("Authorization");
  });

  it("GW4 lets scripts read the headers of errors", () => {
    const exposed = String(marked([], { origin: "https://any.test" })["access-control-expose-headers"]);
    for (const name of ["Retry-After", "RateLimit", "WWW-Authenticate", "X-Request-Id"]) {
      expect(exposed).toContain(name);
    }
  });

  it("GW4 W24 applies the same list to upgrades; a client without an origin is not a browser", () => {
    const policy = createOriginPolicy(["https://app.test"]);
    expect(policy.allows(undefined)).toBe(true);
    expect(policy.allows("https://app.test")).toBe(true);
    expect(policy.allows("null")).toBe(false);
    expect(policy.allows("https://app.test.evil.test")).toBe(false);
    expect(createOriginPolicy([]).allows("null")).toBe(true);
  });

  it("GW4 lets the desktop app call and connect, with an empty list and where it is listed", () => {
    const app = "app://hearth";
    const [listed = ""] = [normalOrigin("app://Hearth/")];
    for (const list of [[], ["https://app.test", listed]]) {
      expect(createOriginPolicy(list).allows(app)).toBe(true);
      const allowed = marked(list, { origin: app })["access-control-allow-origin"];
      expect(allowed).toBe(list.length === 0 ? "*" : app);
    }
    expect(createOriginPolicy(["https://app.test"]).allows(app)).toBe(false);
    expect(createOriginPolicy([listed]).allows("app://other")).toBe(false);
  });

  it("recognises only a preflight as one", () => {
    const request = new IncomingMessage(new Socket());
    request.method = "OPTIONS";
    request.headers = { origin: "https://app.test" };
    expect(isPreflight(request)).toBe(false);
  });
});
