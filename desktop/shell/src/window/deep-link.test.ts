import { describe, expect, it } from "@jest/globals";
import { deepLinkOf, readDeepLink } from "./deep-link.ts";

describe("a hearth:// link", () => {
  it.each([
    ["hearth:", { page: "home" }],
    ["hearth://", { page: "home" }],
    ["hearth://local-api", { page: "local-api" }],
    ["HEARTH://local-api/", { page: "local-api" }],
    [
      "hearth://invite/aB_9-z?server=https%3A%2F%2Fchat.example%3A8443%2Fpath",
      { page: "invite", inviteId: "aB_9-z", signalServerUrl: "https://chat.example:8443" },
    ],
  ])("%s has a target", (text, link) => {
    expect(readDeepLink(text)).toEqual(link);
  });

  it.each([
    "",
    "https://hearth.test/",
    "javascript:alert(1)",
    "hearth:alert(1)",
    "hearth://local-api/../../etc",
    "hearth://settings",
    "hearth://user@local-api",
    "hearth://local-api:80",
    "hearth://invite",
    "hearth://invite/a",
    "hearth://invite/a/b?server=https://chat.example",
    "hearth://invite/a%2f..?server=https://chat.example",
    "hearth://invite/a?server=javascript:alert(1)",
    "hearth://invite/a?server=file:///etc/passwd",
    "hearth://invite/a?server=https://chat.example@evil.test",
    "hearth://local-api\n--inspect",
    "hearth://local-api --inspect",
    "hearth:\\\\evil\\share",
    `hearth://invite/${"a".repeat(129)}?server=https://chat.example`,
    `hearth://local-api?${"a".repeat(2_048)}`,
  ])("%j is dropped", (text) => {
    expect(readDeepLink(text)).toBeUndefined();
  });

  it("is found among the arguments of a start", () => {
    const argv = [
      "/opt/hearth/hearth",
      "--no-sandbox",
      "https://evil.test",
      "hearth://nowhere",
      "hearth://local-api",
    ];
    expect(deepLinkOf(argv)).toEqual({ page: "local-api" });
    expect(deepLinkOf(["hearth", "--flag=hearth://local-api"])).toBeUndefined();
  });
});
