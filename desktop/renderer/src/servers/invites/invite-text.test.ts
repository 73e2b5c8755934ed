import { describe, expect, it } from "@jest/globals";
import { inviteLink, readInvite } from "./invite-text.ts";

describe("a pasted invite", () => {
  it.each([
    [" AbC123 ", { code: "AbC123", server: null }],
    ["https://chat.example/invite/AbC123", { code: "AbC123", server: "https://chat.example" }],
    ["http://127.0.0.1:8080/invite/AbC123/", { code: "AbC123", server: "http://127.0.0.1:8080" }],
    ["chat.example/invite/AbC123", { code: "AbC123", server: "https://chat.example" }],
    [
      "https://a.example/invite/AbC123?server=https://B.example/",
      { code: "AbC123", server: "https://b.example" },
    ],
    [
      "hearth://invite/AbC123?server=https%3A%2F%2Fb.example",
      { code: "AbC123", server: "https://b.example" },
    ],
  ])("%j is understood", (text, invite) => expect(readInvite(text)).toEqual(invite));

  it.each([
    "",
    "abc",
    "not a code!",
    "https://chat.example/rooms/AbC123",
    "https://chat.example/invite/../AbC123",
    "https://a.example/invite/AbC123?server=javascript:alert(1)",
    "javascript:alert(1)",
  ])("%j is none", (text) => expect(readInvite(text)).toBeNull());

  it("is what a link says that we made", () => {
    expect(readInvite(inviteLink("https://chat.example", "AbC123"))).toEqual({
      code: "AbC123",
      server: "https://chat.example",
    });
  });
});
