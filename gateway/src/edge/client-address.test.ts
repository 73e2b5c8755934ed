import { describe, expect, it } from "@jest/globals";
import { clientAddressOf, parseTrustProxy, plainAddress, trustNobody } from "./client-address.ts";
import type { ProxyTrust } from "./client-address.ts";

const trust = (text: string): ProxyTrust => {
  const parsed = parseTrustProxy(text);
  if (!parsed) throw new Error(`${text} was not understood`);
  return parsed;
};

describe("the client's address", () => {
  it.each([
    ["", "198.51.100.1", "6.6.6.6", "198.51.100.1"],
    ["0", "198.51.100.1", "6.6.6.6", "198.51.100.1"],
    ["1", "10.0.0.1", "6.6.6.6, 203.0.113.7", "203.0.113.7"],
    ["2", "10.0.0.1", "6.6.6.6, 203.0.113.7, 10.0.0.2", "203.0.113.7"],
    ["2", "10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["1", "10.0.0.1", undefined, "10.0.0.1"],
    ["1", "10.0.0.1", "unknown", "10.0.0.1"],
    ["2", "10.0.0.1", "evil, 10.0.0.2", "10.0.0.2"],
    ["10.0.0.0/8", "10.0.0.1", "6.6.6.6, 203.0.113.7, 10.9.9.9", "203.0.113.7"],
    ["10.0.0.0/8", "198.51.100.1", "203.0.113.7", "198.51.100.1"],
    ["10.0.0.1, ::1", "::1", "203.0.113.7, 10.0.0.1", "203.0.113.7"],
    ["loopback", "::ffff:127.0.0.1", "::ffff:203.0.113.7", "203.0.113.7"],
    ["uniquelocal", "fc00::1", "[2001:db8::7]:4711", "2001:db8::7"],
    ["1", "10.0.0.1", "203.0.113.7:4711", "203.0.113.7"],
  ])("GW6 AU8 with TRUST_PROXY %j, from %s naming %s, is %s", (variable, peer, forwardedFor, expected) => {
    expect(clientAddressOf(peer, forwardedFor, trust(variable))).toBe(expected);
  });

  it("is unknown when the peer is gone", () => {
    expect(clientAddressOf(undefined, "6.6.6.6", trustNobody)).toBe("unknown");
  });

  it.each([
    "true",
    "all",
    "*",
    "33",
    "-1",
    "10.0.0.0/33",
    "10.0.0",
    "proxy.example",
    "1,2",
    "::1/129",
    "10.0.0.0/x",
  ])("TRUST_PROXY %s is refused", (text) => {
    expect(parseTrustProxy(text)).toBeUndefined();
  });

  it("S6 has one spelling", () => {
    expect(plainAddress("::FFFF:1.2.3.4")).toBe("1.2.3.4");
    expect(plainAddress("fe80::1%eth0")).toBe("fe80::1");
    expect(plainAddress("1.2.3.4.5")).toBeUndefined();
  });
});
