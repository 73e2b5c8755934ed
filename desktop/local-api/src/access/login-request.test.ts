import { describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { ADA, BODY, HERE, SERVER, stageAccess } from "./testing/access-stage.ts";

describe("login requests", () => {
  const missing = ["username", "password", "serverUrl"].flatMap((name) =>
    [undefined, null, 7, "", {}, ["a"], "\uD800"].map((value) => [name, value] as const),
  );

  it.each(missing)("LA5 L6 %s %p is 400 before any 403", async (name, value) => {
    const { asked, loginRefusal, turn } = stageAccess();
    for (const list of [[], ["http://other.example"], [SERVER]]) {
      turn.allowed = list;
      const problem = await loginRefusal({ ...BODY, [name]: value });
      expect(problem.code).toBe("INVALID_REQUEST");
      expect(problem.extras.errors?.[0]?.path).toBe(name);
    }
    expect(asked).toEqual([]);
  });

  it.each([undefined, null, "text", 7, [], [BODY]])(
    "LA5 L6 a body that is no object is 400: %p",
    async (body) => {
      const { loginRefusal } = stageAccess();
      expect((await loginRefusal(body)).code).toBe("INVALID_REQUEST");
    },
  );

  it("LA5 L6 text that is no URL, or far too long, is 400", async () => {
    const { loginRefusal } = stageAccess();
    for (const body of [
      { ...BODY, serverUrl: "ok.example" },
      { ...BODY, serverUrl: "http://" },
      { ...BODY, serverUrl: `http://${"a".repeat(2_050)}` },
      { ...BODY, username: "a".repeat(257) },
      { ...BODY, password: "a".repeat(1_025) },
    ]) {
      expect((await loginRefusal(body)).code).toBe("INVALID_REQUEST");
    }
  });

  it("LA5 L6 an empty list is NO_ALLOWED_SERVERS, another server SERVER_NOT_ALLOWED, without a request", async () => {
    const { asked, loginRefusal, turn } = stageAccess();
    turn.allowed = [];
    expect(await loginRefusal(BODY)).toMatchObject({ code: "NO_ALLOWED_SERVERS", status: 403 });
    turn.allowed = ["http://other.example"];
    expect(await loginRefusal(BODY)).toMatchObject({ code: "SERVER_NOT_ALLOWED", status: 403 });
    expect(asked).toEqual([]);
  });

  it.each([
    ["L7 a user", "http://ok.example@evil.test"],
    ["L7 a user before the right host", "http://evil.test@ok.example"],
    ["L8 a fragment", "http://evil.test#ok.example"],
    ["L8 a fragment behind the right host", "http://ok.example#evil.test"],
    ["L9 an encoded dot", "http://ok.example%2eevil.test"],
    ["L9 a tab", "http://ok.ex\tample"],
    ["L10 the loopback address", "http://127.1"],
    ["L10 the loopback address in hexadecimal", "http://0x7f.1"],
    ["L10 the loopback address as a number", "http://2130706433"],
    ["L10 the loopback address as IPv6", "http://[::ffff:127.0.0.1]"],
    ["L10 a dot at the end", "http://ok.example."],
    ["L10 another port", "http://ok.example:8080"],
    ["L10 another scheme", "https://ok.example"],
    ["L10 a path", "http://ok.example/chat"],
    ["L11 file", "file:///ok.example"],
    ["L11 javascript", "javascript:alert(1)"],
    ["L11 ws", "ws://ok.example"],
  ])("LA5 %s is SERVER_NOT_ALLOWED, without a request", async (_what, serverUrl) => {
    const { asked, loginRefusal } = stageAccess();
    expect((await loginRefusal({ ...BODY, serverUrl })).code).toBe("SERVER_NOT_ALLOWED");
    expect(asked).toEqual([]);
  });

  it("LA5 L12 both URLs are normalised before the comparison, and the normalised one is requested", async () => {
    const { access, asked, turn } = stageAccess();
    turn.allowed = ["nonsense", "HTTP://OK.EXAMPLE:80/"];
    for (const serverUrl of ["HTTP://OK.Example:80/", "http://ok.example", "http://ok.example/../"]) {
      await access.login({ ...BODY, serverUrl }, HERE);
    }
    expect(asked.map(({ serverUrl }) => serverUrl)).toEqual([SERVER, SERVER, SERVER]);
    expect(access.tokens()[0]?.serverUrl).toBe(SERVER);
  });

  it("LA5 a malformed entry of the list allows nothing", async () => {
    const { loginRefusal, turn } = stageAccess();
    turn.allowed = ["nonsense", "http://ok.example/chat"];
    expect((await loginRefusal({ ...BODY, serverUrl: "http://ok.example/chat" })).code).toBe(
      "SERVER_NOT_ALLOWED",
    );
  });

  it("LA5 a server that leaves the list during a login lets nobody in", async () => {
    const { access, loginRefusal, turn } = stageAccess();
    turn.validate = async () => {
      turn.allowed = ["http://other.example"];
      return ADA;
    };
    expect((await loginRefusal(BODY)).code).toBe("SERVER_NOT_ALLOWED");
    expect(access.tokens()).toEqual([]);
  });

  it("LA5 the instance's error is passed on", async () => {
    const { loginRefusal, turn } = stageAccess();
    for (const code of ["INVALID_CREDENTIALS", "UPSTREAM_UNREACHABLE", "UPSTREAM_RATE_LIMITED"] as const) {
      turn.validate = () => Promise.reject(new ProblemError(code));
      expect((await loginRefusal(BODY)).code).toBe(code);
    }
  });
});
