import { beforeAll, describe, expect, it } from "@jest/globals";
import { expectOk, freshName, register } from "../../src/client/index.ts";
import { bodyOf, loginBody, registerBody, requestsTo } from "../../src/client/requests.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const server = serverForTests();

beforeAll(async () => {
  await register(server.url, "ada");
});

const { post } = requestsTo(() => server.url);

describe("names and passwords", () => {
  it.each([
    ["of 73 bytes", "a".repeat(73), "a".repeat(72)],
    ["of 37 é", "é".repeat(37), "é".repeat(36)],
    ["with a NUL in it", "abcdefgh\u0000ijkl", "abcdefgh"],
  ])(
    "AU3 R7 R8 a password %s counts whole: its beginning does not open the account",
    async (_title, password, prefix) => {
      const username = freshName("long");
      await expectOk(server.url, "POST", "/api/users/register", { body: { username, password } });
      expectProblem(
        await post("/api/users/login", loginBody({ username, password: prefix })),
        "INVALID_CREDENTIALS",
      );
      expectProblem(
        await post("/api/users/login", loginBody({ username, password: `${prefix}zzz` })),
        "INVALID_CREDENTIALS",
      );
      await expectOk(server.url, "POST", "/api/users/login", { body: { username, password } });
    },
  );

  it.each([
    ["with a control character", "ad\u0007a"],
    ["with a right-to-left mark", "ada\u200f"],
    ["with an override", "\u202eada"],
    ["with a space", "ad a"],
    ["that is too short", "ad"],
    ["that is too long", "a".repeat(65)],
    ["in full width", "ＡＤＡ"],
    ["with a line break", "ada\r\nx"],
    ["that is an operator", "$where"],
    ["with a slash", "../ada"],
  ])("AU2 R31 a username %s is refused", async (_title, username) => {
    const problem = expectProblem(
      await post("/api/users/register", registerBody({ username })),
      "INVALID_REQUEST",
    );
    expect(problem.errors?.map(({ path }) => path)).toContain("username");
  });

  it("AU2 R31 a username of 1 MB is 413", async () => {
    const options = registerBody({ username: "x".repeat(1024 * 1024) });
    expectProblem(await post("/api/users/register", options), "PAYLOAD_TOO_LARGE");
  });

  it.each(["ada", "Ada", "ADA"])("AU2 R31 R32 %s is taken", async (username) => {
    expectProblem(await post("/api/users/register", registerBody({ username })), "USERNAME_TAKEN");
  });

  it("AU3 S5 the responses for an unknown user and a wrong password are identical to the last header", async () => {
    const seen = async (username: string) => {
      const { status, headers, body } = await post(
        "/api/users/login",
        bodyOf({ username, password: "a good guess" }),
      );
      const { requestId, ...problem } = body as Record<string, unknown>;
      expect(requestId).toMatch(/\S/);
      const changing = ["date", "x-request-id", "ratelimit", "x-ratelimit-remaining", "x-ratelimit-reset"];
      return { status, problem, headers: [...headers].filter(([name]) => !changing.includes(name)) };
    };
    const wrong = await seen("ada");
    expect(wrong).toMatchObject({ status: 401, problem: { code: "INVALID_CREDENTIALS" } });
    expect(await seen("nobody-of-this-name")).toEqual(wrong);
    expect(await seen("no name\u0000at all")).toEqual(wrong);
  });

  it("ER1 all invalid fields are reported at once", async () => {
    const options = bodyOf({ username: "x", password: "short", displayName: "\u0000" });
    const problem = expectProblem(await post("/api/users/register", options), "INVALID_REQUEST");
    expect(problem.errors?.map(({ path }) => path).toSorted()).toEqual([
      "displayName",
      "password",
      "username",
    ]);
  });
});
