import { LIMITS, type Credential, type JoinedServer } from "@hearth/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Answer,
  call,
  createServer,
  dialPlain,
  dialSocketIo,
  expectOk,
  openDevice,
  PASSWORD,
  register,
} from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { inRounds } from "../../src/expectations/races.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { asCluster } from "../../src/server/mode.ts";

const SECOND = 1_000;

describe("limits", () => {
  const server = serverForTests({ env: { TRUST_PROXY: "1" } });
  let victim: Credential;
  const HOME = { "x-forwarded-for": "198.51.100.1" };
  const ATTACKER = { "x-forwarded-for": "203.0.113.66" };
  const attempt = (password: string, headers: Record<string, string>, username = "victim") =>
    call(server.url, "POST", "/api/users/login", { body: { username, password }, headers });

  beforeAll(async () => {
    const body = { username: "victim", password: PASSWORD };
    victim = await expectOk(server.url, "POST", "/api/users/register", { body, headers: HOME });
  });
  it("AU8 L-8 exactly 100 of 200 simultaneous registrations and logins from one address pass", async () => {
    const headers = { "x-forwarded-for": "192.0.2.1" };
    // A taken name is refused without hashing, which keeps this quick, and counts like any other.
    const taken = () =>
      call(server.url, "POST", "/api/users/register", {
        body: { username: "Victim", password: PASSWORD },
        headers,
      });
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    const answers = await inRounds(numbers, asCluster ? 15 : 200, (n) =>
      n % 10 === 0 ? attempt(PASSWORD, headers) : taken(),
    );
    const limited = answers.filter(({ status }) => status === 429);
    const passed = answers.filter(({ status }) => status === 200 || status === 409);
    expect([passed.length, limited.length]).toEqual([100, 100]);
    for (const answer of limited) {
      expectProblem(answer, "RATE_LIMITED");
      expect(answer.headers.get("ratelimit-policy")).toBe('"auth-attempts";q=100;w=900');
    }
    const retryAfter = ({ headers: answered }: Answer<unknown>): number =>
      Number(answered.get("retry-after"));
    const before = Math.min(...limited.map(retryAfter));
    await new Promise((resolve) => setTimeout(resolve, SECOND));
    // A blocked hit does not extend the window.
    expect(retryAfter(await taken())).toBeLessThan(before + 1);
    expect((await attempt(PASSWORD, HOME)).status).toBe(200);
  }, 60_000);

  it("AU8 S6 guessing locks out the guesser's address for every spelling of the name, but not the victim", async () => {
    const { perAddress } = LIMITS.accountFailures;
    for (let tries = 0; tries < perAddress; tries += 1) {
      const name = ["victim", "VICTIM", "Victim"][tries % 3] ?? "victim";
      expectProblem(await attempt(`guess ${tries}`, ATTACKER, name), "INVALID_CREDENTIALS");
    }
    for (const name of ["victim", "vIcTiM"]) {
      const refused = await attempt(PASSWORD, ATTACKER, name);
      expectProblem(refused, "RATE_LIMITED");
      expect(refused.headers.get("ratelimit-policy")).toMatch(/^"account-failures"/);
    }
    expect((await attempt(PASSWORD, HOME)).status).toBe(200);
    await expectOk(server.url, "GET", "/api/users/me", { token: victim.token });
  });

  it("AU8 a successful login resets the failures before it", async () => {
    const { perAddress } = LIMITS.accountFailures;
    for (let round = 0; round < 2; round += 1) {
      for (let tries = 1; tries < perAddress; tries += 1) {
        expectProblem(await attempt("a wrong one", HOME), "INVALID_CREDENTIALS");
      }
      expect((await attempt(PASSWORD, HOME)).status).toBe(200);
    }
  }, 60_000);

  it("DI6 L-8 exactly 30 of 40 simultaneous first joins pass, over REST and the socket; rejoining is not limited", async () => {
    const owner = await register(server.url);
    const rooms: JoinedServer[] = [];
    for (let made = 0; made < 40; made += 1) {
      rooms.push(await createServer(server.url, owner, { name: `Room ${made}` }));
    }
    const joiner = await register(server.url);
    const [plain, io] = [
      await openDevice(dialPlain, server.url, joiner),
      await openDevice(dialSocketIo, server.url, joiner),
    ];
    const join = async (room: JoinedServer, n: number): Promise<string> => {
      if (n % 2 === 0) {
        const answer = await call(server.url, "POST", `/api/servers/${room.id}/join`, {
          token: joiner.token,
          body: {},
        });
        if (answer.status === 429) expectProblem(answer, "RATE_LIMITED");
        return answer.status === 200 ? "joined" : String(answer.status);
      }
      const answer = await (n % 4 === 1 ? plain : io).ask({ type: "join_server", serverId: room.id });
      if (answer.type === "server_joined") return "joined";
      expect(answer).toMatchObject({
        type: "error",
        code: "RATE_LIMITED",
        retryable: true,
        inReplyTo: "join_server",
      });
      expect(answer["retryAfterMs"]).toBeGreaterThan(0);
      return "429";
    };
    const outcomes = await inRounds(rooms, asCluster ? 7 : 40, join);
    const joined = rooms.filter((_, n) => outcomes[n] === "joined");
    expect(outcomes.toSorted()).toEqual([
      ...Array<string>(10).fill("429"),
      ...Array<string>(30).fill("joined"),
    ]);
    for (const [n, room] of joined.entries()) expect(await join(room, n)).toBe("joined");
    const mine = await expectOk<{ items: unknown[] }>(server.url, "GET", "/api/servers/mine?limit=100", {
      token: joiner.token,
    });
    expect(mine.items).toHaveLength(30);
    await plain.close();
    await io.close();
  }, 60_000);
});
