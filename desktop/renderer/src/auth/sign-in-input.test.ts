import { describe, expect, it } from "@jest/globals";
import { ClientProblem } from "@hearth/device";
import { isPlain, issuesFrom, issuesOf, serverTyped, signInOf, waitUntil } from "./sign-in-input.ts";

const draft = {
  ...{ server: "http://home.example", username: "anna" },
  ...{ displayName: "", password: "correct horse", invitation: "" },
};

describe("what is typed to sign in", () => {
  it.each([
    ["talk.example", "https://talk.example"],
    ["  Talk.Example/ ", "https://talk.example"],
    ["talk.example:8443", "https://talk.example:8443"],
    ["http://192.168.1.5:8080//", "http://192.168.1.5:8080"],
    ["https://talk.example", "https://talk.example"],
    ["", null],
    ["talk example", null],
    ["ftp://talk.example", null],
    ["talk.example/chat", null],
    ["me@talk.example", null],
  ])("names a server: %j", (typed, url) => {
    expect(serverTyped(typed)).toBe(url);
  });

  it.each([
    ["http://talk.example", true],
    ["http://192.168.1.5:8080", true],
    ["http://127.example", true],
    ["http://localhost:8080", false],
    ["http://127.0.0.1", false],
    ["http://[::1]:3000", false],
    ["https://talk.example", false],
  ])("is warned about where others can read it: %s", (url, plain) => {
    expect(isPlain(url)).toBe(plain);
  });

  it("is complete, or says which field is not", () => {
    expect(issuesOf("login", draft)).toEqual({});
    expect(issuesOf("register", draft)).toEqual({});
    expect(issuesOf("login", { ...draft, server: "", username: " ", password: "" })).toEqual({
      server: "server",
      username: "usernameMissing",
      password: "passwordMissing",
    });
  });

  it("AU2 follows the rules of a new account, and asks nothing of an old one", () => {
    const bad = { ...draft, username: "a b", password: "short", displayName: "x".repeat(65) };
    expect(issuesOf("register", bad)).toEqual({
      username: "username",
      password: "password",
      displayName: "displayName",
    });
    expect(issuesOf("login", bad)).toEqual({});
  });

  it("goes out trimmed, the password as it is, a display name only where there is one", () => {
    const typed = {
      ...draft,
      server: "home.example/",
      username: " anna ",
      displayName: " ",
      password: " p ",
    };
    const out = { serverUrl: "https://home.example", username: "anna", password: " p " };
    expect(signInOf("register", typed)).toEqual({ mode: "register", ...out });
    expect(signInOf("login", { ...typed, displayName: "Anna" })).toEqual({ mode: "login", ...out });
    expect(signInOf("register", { ...typed, displayName: " Anna " })).toMatchObject({ displayName: "Anna" });
  });
});

describe("an invitation and a new password", () => {
  it("AB11 is asked for where registration is by invitation, and goes to the server", () => {
    expect(issuesOf("register", draft, "invite")).toEqual({ invitation: "invitationMissing" });
    expect(issuesOf("login", draft, "invite")).toEqual({});
    const typed = { ...draft, invitation: " a-code-of-the-operator " };
    expect(issuesOf("register", typed, "invite")).toEqual({});
    expect(signInOf("register", typed)).toMatchObject({ invitation: "a-code-of-the-operator" });
    expect(signInOf("login", typed)).not.toHaveProperty("invitation");
  });

  it("AB11 is blamed where the server refuses it", () => {
    const refused = (refusal: string) => issuesFrom(new ClientProblem("REGISTRATION_CLOSED", { refusal }));
    expect(refused("invite_required")).toEqual({ invitation: "invitationMissing" });
    expect(refused("invite_invalid")).toEqual({ invitation: "invitation" });
    expect(refused("closed")).toEqual({});
  });

  it("AB13 is not the user name, nor one that the server calls common", () => {
    const typed = { ...draft, username: "annabelle", password: "Annabelle1" };
    expect(issuesOf("register", typed)).toEqual({ password: "passwordCommon" });
    expect(issuesOf("login", typed)).toEqual({});
    const issues = [{ path: "password", message: "is among the most common passwords" }];
    expect(issuesFrom(new ClientProblem("INVALID_REQUEST", { issues }))).toEqual({
      password: "passwordCommon",
    });
  });
});

describe("what the server says of it", () => {
  it("stands at its field", () => {
    const issues = ["username", "displayName", "deviceName"].map((path) => ({ path, message: "is odd" }));
    expect(issuesFrom(new ClientProblem("INVALID_REQUEST", { issues }))).toEqual({
      username: "username",
      displayName: "displayName",
    });
    expect(issuesFrom(new ClientProblem("USERNAME_TAKEN"))).toEqual({ username: "usernameTaken" });
    expect(issuesFrom(new ClientProblem("INVALID_CREDENTIALS"))).toEqual({});
    expect(issuesFrom(new Error("x"))).toEqual({});
  });

  it("may be a time to wait", () => {
    expect(waitUntil(new ClientProblem("RATE_LIMITED", { retryAfterMs: 90_000 }), 1_000)).toBe(91_000);
    expect(waitUntil(new ClientProblem("RATE_LIMITED"), 1_000)).toBeNull();
    expect(waitUntil(new ClientProblem("UNAVAILABLE", { retryAfterMs: 5 }), 1_000)).toBeNull();
  });
});
