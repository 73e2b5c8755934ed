import { describe, expect, it } from "@jest/globals";
import { shortHost } from "./host.ts";

describe("the short name of a host", () => {
  it.each([
    ["chat.lindenhof.example", "lindenhof"],
    ["hearth.open-press.example:8443", "open-press"],
    ["example.org", "example"],
    ["chat", "chat"],
    ["127.0.0.1:8080", ":8080"],
    ["localhost:8080", ":8080"],
    ["[::1]:8080", ":8080"],
    ["192.0.2.7", "192.0.2.7"],
    ["localhost", "localhost"],
  ])("%j is %j", (host, short) => expect(shortHost(host)).toBe(short));
});
