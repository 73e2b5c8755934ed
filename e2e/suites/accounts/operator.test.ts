import { userInfo } from "node:os";
import type { AccountExport, Credential, Problem, Registration } from "@hearth/contracts";
import { accountExportSchema } from "@hearth/contracts";
import { describe, expect, it } from "@jest/globals";
import {
  call,
  createServer,
  dialPlain,
  expectOk,
  openDevice,
  PASSWORD,
  type Answer,
} from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { runCommand } from "../../src/server/command.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

/** The command runs as a separate process on the server's data. */
const server = serverForTests({ env: { REGISTRATION: "invite" } });

interface Outcome {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

const admin = async (...args: string[]): Promise<Outcome> => {
  const env = { DATA_DIR: server.dataDir, PUBLIC_URL: "https://chat.example" };
  const command = runCommand("admin.ts", args, env);
  return { code: await command.ended, out: command.stdout().trim(), err: command.stderr() };
};

const register = (username: string, invitation?: string): Promise<Answer<Credential & Problem>> =>
  call(server.url, "POST", "/api/users/register", { body: { username, password: PASSWORD, invitation } });
const login = (username: string, password = PASSWORD): Promise<Answer<Credential & Problem>> =>
  call(server.url, "POST", "/api/users/login", { body: { username, password } });

/** Registers a user with an invitation. */
const member = async (username: string): Promise<Credential> => {
  const { out } = await admin("invitations", "create");
  return (await register(username, out)).body;
};

describe("the operator", () => {
  it("AB11 invites users when registration is by invitation", async () => {
    const { mode } = await expectOk<Registration>(server.url, "GET", "/api/users/registration");
    expect(mode).toBe("invite");
    expect(expectProblem(await register("ada"), "REGISTRATION_CLOSED").reason).toBe("invite_required");
    const { code, out } = await admin("invitations", "create", "--uses", "1", "--days", "1");
    expect(code).toBe(0);
    expect((await register("ada", out)).status).toBe(201);
    expect(expectProblem(await register("bob", out), "REGISTRATION_CLOSED").reason).toBe("invite_invalid");
  }, 60_000);

  it("AB11 suspends a user on the running server; the user's sockets close within a second", async () => {
    const eve = await member("eve");
    const device = await openDevice(dialPlain, server.url, eve);
    const { code } = await admin("users", "suspend", "eve");
    expect(code).toBe(0);
    const from = performance.now();
    const closed = await device.closed;
    expect(performance.now() - from).toBeLessThan(1_000);
    expect(closed.code).toBeGreaterThanOrEqual(4000);
    expectProblem(await call(server.url, "GET", "/api/users/me", { token: eve.token }), "AUTH_INVALID");
    expectProblem(await login("eve"), "ACCOUNT_SUSPENDED");
    expectProblem(await login("eve", "a good guess"), "INVALID_CREDENTIALS");
    expect((await admin("users", "unsuspend", "eve")).code).toBe(0);
    expect((await login("eve")).status).toBe(200);
  }, 60_000);

  it("AB11 creates a reset link that works once", async () => {
    const joe = await member("joe");
    const { out } = await admin("users", "reset-link", "joe");
    expect(out).toMatch(/^https:\/\/chat\.example\/reset\?code=/);
    const body = { code: new URL(out).searchParams.get("code"), newPassword: "battery staple" };
    const reset = () => call(server.url, "POST", "/api/users/reset", { body });
    expect((await reset()).status).toBe(200);
    expect(expectProblem(await reset(), "FORBIDDEN").reason).toBe("code_invalid");
    expectProblem(await call(server.url, "GET", "/api/users/me", { token: joe.token }), "AUTH_INVALID");
    expect((await login("joe", "battery staple")).status).toBe(200);
  }, 60_000);

  it("AB11 reads reports and deletes servers and users; the audit log records every use", async () => {
    const [sam, kim] = [await member("sam"), await member("kim")];
    const room = await createServer(server.url, sam, { name: "Spam" });
    const body = { userId: sam.id, serverId: room.id, reason: "spam", quotedText: "buy\nthis" };
    const reported = await call(server.url, "POST", "/api/users/reports", { token: kim.token, body });
    expect(reported.status).toBe(204);
    const report = (await admin("reports", "list")).out;
    expect(report).toContain('"buy\\nthis"');
    expect((await admin("reports", "resolve", report.split("\t")[0] ?? "", "--note", "gone")).code).toBe(0);
    expect((await admin("servers", "delete", room.id)).code).toBe(0);
    expect((await call(server.url, "GET", `/api/servers/${room.id}`)).status).toBe(404);
    expect((await admin("users", "delete", "sam", "--owned-servers", "delete")).code).toBe(0);
    expectProblem(await login("sam"), "INVALID_CREDENTIALS");
    const { out } = await admin("audit", "list");
    for (const use of ['users delete\t"sam"', "servers delete", "reports resolve", "users reset-link"])
      expect(out).toContain(`\t${userInfo().username}\t${use}`);
    expect(out).not.toContain("battery");
  }, 30_000);

  it("AB12 a user exports everything and deletes the account for good", async () => {
    const max = await member("max");
    const { token } = max;
    await createServer(server.url, max, { name: "The lighthouse" });
    const whole = await expectOk<AccountExport>(server.url, "GET", "/api/users/me/export", { token });
    expect(accountExportSchema.parse(whole).account).toMatchObject({ id: max.id, username: "max" });
    expect(JSON.stringify(whole.discovery)).toContain("The lighthouse");
    const device = await openDevice(dialPlain, server.url, max);
    const body = { currentPassword: PASSWORD, ownedServers: "delete" };
    const wrong = { ...body, currentPassword: "a good guess" };
    expectProblem(
      await call(server.url, "DELETE", "/api/users/me", { token, body: wrong }),
      "INVALID_CREDENTIALS",
    );
    const gone = await call(server.url, "DELETE", "/api/users/me", { token, body });
    expect(gone.status).toBe(204);
    await device.closed;
    expectProblem(await login("max"), "INVALID_CREDENTIALS");
    const { out } = await admin("invitations", "create");
    expectProblem(await register("Max", out), "USERNAME_TAKEN");
    expect((await register("maxine", out)).status).toBe(201);
  }, 60_000);

  it("AB13 AB8 refuses a common password and an invisible name", async () => {
    const { out: invitation } = await admin("invitations", "create");
    const attempt = (fields: object) =>
      call<Problem>(server.url, "POST", "/api/users/register", {
        body: { username: "lovelace", password: PASSWORD, invitation, ...fields },
      });
    for (const password of ["Password1", "lovelace", "LOVELACE2026"]) {
      const problem = expectProblem(await attempt({ password }), "INVALID_REQUEST");
      expect(problem.errors?.map(({ path }) => path)).toEqual(["password"]);
    }
    for (const displayName of ["\u3164", "Ada\u202E", "Ada\u200B", `A${"\u0336".repeat(9)}`]) {
      const problem = expectProblem(await attempt({ displayName }), "INVALID_REQUEST");
      expect(problem.errors?.[0]?.path).toBe("displayName");
    }
    expect((await attempt({})).status).toBe(201);
  });
});
