import { beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { createMemoryLimiters, problemHeaders, sha256Hex } from "@hearth/runtime";
import { manualClock, recordedLog } from "@hearth/runtime/testing";
import type { ManualClock, RecordedLog } from "@hearth/runtime/testing";
import type { DeviceCredential } from "../device/changes.ts";
import { createLocalAccess } from "./create-local-access.ts";
import type { Caller, LocalAccess } from "./local-access.ts";
import type { UpstreamAccount, UpstreamCredentials } from "./upstream.ts";

const ADA: UpstreamAccount = {
  id: "0197b1d0-0000-7000-8000-00000000000a",
  username: "ada",
  displayName: "Ada",
};
const SERVER = "http://ok.example";
const BODY = { username: "ada", password: "marker-password", serverUrl: SERVER };
const DAY = 24 * 60 * 60_000;

const from = (remoteAddress: string): Caller => ({ remoteAddress, userAgent: "curl/8" });
const HERE = from("127.0.0.1");

const credential = (userId: string, signalServerUrl: string): DeviceCredential => ({
  signalServerUrl,
  userId,
  username: "ada",
  displayName: "Ada",
  expiresAt: 0,
  autoProvisioned: false,
  isHome: true,
});

let clock: ManualClock;
let log: RecordedLog;
let allowed: string[];
let accounts: DeviceCredential[];
let asked: UpstreamCredentials[];
let validate: (credentials: UpstreamCredentials) => Promise<UpstreamAccount>;
let access: LocalAccess;

beforeEach(() => {
  clock = manualClock();
  log = recordedLog();
  allowed = [SERVER];
  accounts = [];
  asked = [];
  validate = async () => ADA;
  access = createLocalAccess({
    allowedServers: () => allowed,
    accounts: async () => accounts,
    validate: (credentials) => {
      asked.push(credentials);
      return validate(credentials);
    },
    clock,
    limiters: createMemoryLimiters(),
    log: log.log,
  });
});

async function refusal(work: () => unknown): Promise<ProblemError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error("It was not refused");
}
const loginRefusal = (body: unknown, caller = HERE) => refusal(() => access.login(body, caller));
const verifyRefusal = async (token: string) => (await refusal(() => access.verify(token))).extras.reason;

describe("what a login asks for", () => {
  const missing = ["username", "password", "serverUrl"].flatMap((name) =>
    [undefined, null, 7, "", {}, ["a"], "\uD800"].map((value) => [name, value] as const),
  );

  it.each(missing)("LA5 L6 %s %p is 400 before any 403", async (name, value) => {
    for (const list of [[], ["http://other.example"], [SERVER]]) {
      allowed = list;
      const problem = await loginRefusal({ ...BODY, [name]: value });
      expect(problem.code).toBe("INVALID_REQUEST");
      expect(problem.extras.errors?.[0]?.path).toBe(name);
    }
    expect(asked).toEqual([]);
  });

  it.each([undefined, null, "text", 7, [], [BODY]])(
    "LA5 L6 a body that is no object is 400: %p",
    async (body) => {
      expect((await loginRefusal(body)).code).toBe("INVALID_REQUEST");
    },
  );

  it("LA5 L6 text that is no URL, and what is far too long, is 400", async () => {
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

  it("LA5 L6 an empty list is NO_ALLOWED_SERVERS, another server SERVER_NOT_ALLOWED, and nobody is asked", async () => {
    allowed = [];
    expect(await loginRefusal(BODY)).toMatchObject({ code: "NO_ALLOWED_SERVERS", status: 403 });
    allowed = ["http://other.example"];
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
  ])("LA5 %s is SERVER_NOT_ALLOWED, and nobody is asked", async (_what, serverUrl) => {
    expect((await loginRefusal({ ...BODY, serverUrl })).code).toBe("SERVER_NOT_ALLOWED");
    expect(asked).toEqual([]);
  });

  it("LA5 L12 both sides are compared after normalisation, and the server is asked by its normalised address", async () => {
    allowed = ["nonsense", "HTTP://OK.EXAMPLE:80/"];
    for (const serverUrl of ["HTTP://OK.Example:80/", "http://ok.example", "http://ok.example/../"]) {
      await access.login({ ...BODY, serverUrl }, HERE);
    }
    expect(asked.map(({ serverUrl }) => serverUrl)).toEqual([SERVER, SERVER, SERVER]);
    expect(access.tokens()[0]?.serverUrl).toBe(SERVER);
  });

  it("LA5 an entry of the list that is no address allows nothing", async () => {
    allowed = ["nonsense", "http://ok.example/chat"];
    expect((await loginRefusal({ ...BODY, serverUrl: "http://ok.example/chat" })).code).toBe(
      "SERVER_NOT_ALLOWED",
    );
  });

  it("LA5 a server that leaves the list during a login lets nobody in", async () => {
    validate = async () => {
      allowed = ["http://other.example"];
      return ADA;
    };
    expect((await loginRefusal(BODY)).code).toBe("SERVER_NOT_ALLOWED");
    expect(access.tokens()).toEqual([]);
  });

  it("LA5 what the signaling server says is passed on", async () => {
    for (const code of ["INVALID_CREDENTIALS", "UPSTREAM_UNREACHABLE", "UPSTREAM_RATE_LIMITED"] as const) {
      validate = () => Promise.reject(new ProblemError(code));
      expect((await loginRefusal(BODY)).code).toBe(code);
    }
  });
});

describe("local tokens", () => {
  it("LA6 a token is 64 hex characters for 24 hours, and none is like another", async () => {
    const logins = await Promise.all([1, 2, 3].map((last) => access.login(BODY, from(`10.0.0.${last}`))));
    for (const login of logins) {
      expect(login).toEqual({
        token: expect.stringMatching(/^[0-9a-f]{64}$/),
        expiresAt: clock.now() + DAY,
        user: ADA,
      });
    }
    expect(new Set(logins.map(({ token }) => token)).size).toBe(3);
  });

  it("LA6 the list tells everything but the token, newest first", async () => {
    const { token } = await access.login(BODY, HERE);
    clock.advance(1_000);
    await access.login(BODY, { remoteAddress: "::1", userAgent: "x".repeat(5_000) });
    const [newer, older] = access.tokens();
    expect(newer).toMatchObject({ remoteAddress: "::1", userAgent: "x".repeat(256) });
    expect(older).toEqual({
      id: expect.any(String),
      userId: ADA.id,
      username: "ada",
      serverUrl: SERVER,
      createdAt: clock.now() - 1_000,
      lastUsedAt: null,
      expiresAt: clock.now() - 1_000 + DAY,
      remoteAddress: "127.0.0.1",
      userAgent: "curl/8",
    });
    expect(JSON.stringify(access.tokens())).not.toContain(token);
    expect(JSON.stringify(access.tokens())).not.toContain(sha256Hex(token));
  });

  it("LA6 verifying marks the token as used", async () => {
    const { token } = await access.login(BODY, HERE);
    clock.advance(5_000);
    expect(access.verify(token)).toMatchObject({ username: "ada", lastUsedAt: clock.now() });
    expect(access.tokens()[0]?.lastUsedAt).toBe(clock.now());
  });

  it("LA6 a token ends after 24 hours and says so", async () => {
    const { token } = await access.login(BODY, HERE);
    clock.advance(DAY - 1);
    expect(access.verify(token).username).toBe("ada");
    clock.advance(1);
    expect(await verifyRefusal(token)).toBe("expired");
    expect(access.tokens()).toEqual([]);
  });

  it("LA6 logging out, revoking and revoking all end tokens at once", async () => {
    const [a, b, c] = await Promise.all([1, 2, 3].map(() => access.login(BODY, HERE)));
    access.logout(access.verify(a?.token ?? "").id);
    expect(await verifyRefusal(a?.token ?? "")).toBe("revoked");
    const id = access.verify(b?.token ?? "").id;
    expect(access.revoke(id)).toBe(true);
    expect(access.revoke(id)).toBe(false);
    expect(await verifyRefusal(b?.token ?? "")).toBe("revoked");
    access.revokeAll();
    expect(await verifyRefusal(c?.token ?? "")).toBe("revoked");
    expect(access.tokens()).toEqual([]);
  });

  it("LA6 L14 what was not issued here is unknown", async () => {
    const { token } = await access.login(BODY, HERE);
    for (const other of [
      "",
      "a".repeat(64),
      token.toUpperCase(),
      token.slice(1),
      ` ${token}`,
      sha256Hex(token),
    ]) {
      expect(await verifyRefusal(other)).toBe("unknown");
    }
  });

  it("LA6 X18 a login that all tokens' end overtakes is not answered with one", async () => {
    validate = async () => {
      access.revokeAll();
      return ADA;
    };
    expect(await loginRefusal(BODY)).toMatchObject({ code: "UNAVAILABLE", retryable: true });
    expect(access.tokens()).toEqual([]);
  });

  it("LA6 the list is bounded: the oldest of too many ends", async () => {
    const first = await access.login(BODY, from("10.1.0.0"));
    const many = createLocalAccess({
      allowedServers: () => allowed,
      accounts: async () => [],
      validate: async () => ADA,
      clock,
      limiters: (options) => createMemoryLimiters()({ ...options, points: 1_000 }),
      log: log.log,
    });
    const oldest = await many.login(BODY, HERE);
    for (let count = 0; count < 200; count += 1) await many.login(BODY, HERE);
    expect(many.tokens()).toHaveLength(200);
    await expect(refusal(() => many.verify(oldest.token))).resolves.toMatchObject({
      extras: { reason: "revoked" },
    });
    expect(access.verify(first.token).username).toBe("ada");
  });

  it("LA6 listeners hear of every change of the list and survive each other", async () => {
    const heard: number[] = [];
    access.onChange(() => {
      throw new Error("broken listener");
    });
    const end = access.onChange(() => void heard.push(access.tokens().length));
    const { token } = await access.login(BODY, HERE);
    const { id } = access.verify(token);
    for (let use = 0; use < 100; use += 1) access.verify(token);
    expect(heard).toEqual([1, 1]);
    clock.advance(5_000);
    access.verify(token);
    access.revoke(id);
    expect(heard).toEqual([1, 1, 1, 0]);
    end();
    access.revokeAll();
    expect(heard).toHaveLength(4);
  });

  it("LA6 S9 neither passwords nor tokens are in the log or in a refusal", async () => {
    const { token } = await access.login(BODY, HERE);
    accounts = [credential("somebody else", SERVER)];
    const refused = await loginRefusal(BODY);
    const said = log.lines.join("") + JSON.stringify(refused.toData());
    expect(log.lines.length).toBeGreaterThan(0);
    expect(said).not.toContain(token);
    expect(said).not.toContain("marker-password");
  });
});

describe("throttle of logins", () => {
  const statuses = async (count: number, caller: Caller): Promise<readonly string[]> => {
    const codes: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const outcome = await access.login(BODY, caller).catch((error: unknown) => error);
      codes.push(outcome instanceof ProblemError ? outcome.code : "ok");
    }
    return codes;
  };

  it("LA6 ten a minute from one address, then 429 with what ER5 asks for, and the server is not asked", async () => {
    expect(new Set(await statuses(10, HERE))).toEqual(new Set(["ok"]));
    const refused = await loginRefusal(BODY, from("::ffff:127.0.0.1"));
    expect(refused).toMatchObject({ code: "RATE_LIMITED", status: 429 });
    expect(asked).toHaveLength(10);
    expect(problemHeaders(refused)).toMatchObject({
      "Retry-After": expect.stringMatching(/^\d+$/),
      "RateLimit-Policy": '"local-login";q=10;w=60',
      RateLimit: expect.stringMatching(/^"local-login";r=0;t=\d+$/),
      "X-RateLimit-Limit": "10",
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": expect.stringMatching(/^\d+$/),
    });
    expect(await statuses(1, from("192.168.1.7"))).toEqual(["ok"]);
  });

  it("LA6 what the server never hears of is not counted", async () => {
    for (let at = 0; at < 20; at += 1) {
      expect((await loginRefusal({ ...BODY, password: "" })).code).toBe("INVALID_REQUEST");
      expect((await loginRefusal({ ...BODY, serverUrl: "http://x.example" })).code).toBe(
        "SERVER_NOT_ALLOWED",
      );
    }
    expect(await statuses(1, HERE)).toEqual(["ok"]);
  });

  it("LA6 addresses of one IPv6 network count as one, and sixty in all is the end", async () => {
    for (let host = 1; host <= 10; host += 1) await statuses(1, from(`fd00::${host}`));
    expect(await statuses(1, from("fd00::abcd"))).toEqual(["RATE_LIMITED"]);
    for (let host = 1; host <= 5; host += 1) await statuses(10, from(`10.0.0.${host}`));
    expect(await statuses(1, from("10.0.0.99"))).toEqual(["RATE_LIMITED"]);
    expect(asked).toHaveLength(60);
  });
});

describe("accounts of the device", () => {
  it("LA7 a device without accounts lets in whom a server recognises", async () => {
    expect((await access.login(BODY, HERE)).user).toEqual(ADA);
  });

  it("LA7 the account of this server and this id is let in, however they are spelled", async () => {
    accounts = [
      credential("other", "http://other.example"),
      credential(ADA.id.toUpperCase(), "HTTP://OK.example:80/"),
    ];
    expect((await access.login(BODY, HERE)).user).toEqual(ADA);
  });

  it.each([
    ["another person of the same server", [credential("0197b1d0-0000-7000-8000-00000000000b", SERVER)]],
    ["the same id on another server", [credential(ADA.id, "http://other.example")]],
    ["an account whose address is none", [credential(ADA.id, "nonsense")]],
  ])("LA7 %s is 403 ACCOUNT_NOT_ON_DEVICE", async (_who, held) => {
    accounts = held;
    expect(await loginRefusal(BODY)).toMatchObject({ code: "ACCOUNT_NOT_ON_DEVICE", status: 403 });
    expect(access.tokens()).toEqual([]);
  });

  it("LA7 a device that cannot be asked for its accounts lets nobody in", async () => {
    const away = createLocalAccess({
      allowedServers: () => allowed,
      accounts: () => Promise.reject(new ProblemError("UNAVAILABLE")),
      validate: async () => ADA,
      clock,
      limiters: createMemoryLimiters(),
      log: log.log,
    });
    expect((await refusal(() => away.login(BODY, HERE))).code).toBe("UNAVAILABLE");
    expect(away.tokens()).toEqual([]);
  });
});
