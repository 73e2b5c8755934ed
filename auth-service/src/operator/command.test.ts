import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { newId, silentLog } from "@hearth/runtime";
import { startAuth, testConfig } from "../testing/service.ts";
import type { RunningAuth } from "../testing/service.ts";
import { AUTH_DATABASE, createSqliteAuthStore } from "../store/sqlite/store.sqlite.ts";
import { operatorCommand } from "./command.ts";

let folder: string;
let auth: RunningAuth;
let said: string[];
let complained: string[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hearth-admin-"));
  const store = createSqliteAuthStore({ file: path.join(folder, AUTH_DATABASE), log: silentLog });
  auth = await startAuth({ store, config: { ...testConfig, registration: "open" } });
  said = [];
  complained = [];
  jest.spyOn(process.stdout, "write").mockImplementation((text) => said.push(String(text)) > 0);
  jest.spyOn(process.stderr, "write").mockImplementation((text) => complained.push(String(text)) > 0);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await auth.stop();
  await rm(folder, { recursive: true });
});

const admin = (...argv: string[]): Promise<number> =>
  operatorCommand(argv, { DATA_DIR: folder, PUBLIC_URL: "https://chat.example/" });
const output = (): string => said.splice(0).join("");
const auditLog = async () =>
  (await auth.store.listAudit(100)).map(({ action, target, outcome }) => [action, target, outcome]).reverse();

describe("the operator's command", () => {
  it("AB11 finds, suspends and unsuspends users, and records each use", async () => {
    const { id } = await auth.register("Ada", { body: { displayName: "Ada L." } });
    expect(await admin("users", "find", "AD")).toBe(0);
    expect(output()).toContain(`${id}\tactive\t`);
    expect(await admin("users", "suspend", "ada")).toBe(0);
    expect((await auth.login("ada")).body.code).toBe("ACCOUNT_SUSPENDED");
    expect(await admin("users", "suspend", "ada")).toBe(1);
    expect(await admin("users", "unsuspend", id)).toBe(0);
    expect((await auth.login("ada")).status).toBe(200);
    expect(await admin("users", "find", "nobody")).toBe(1);
    expect(await auditLog()).toEqual([
      ["users find", "AD", "done"],
      ["users suspend", "ada", "begun"],
      ["users suspend", "ada", "done"],
      ["users suspend", "ada", "begun"],
      ["users suspend", "ada", "not done"],
      ["users unsuspend", id, "begun"],
      ["users unsuspend", id, "done"],
      ["users find", "nobody", "not done"],
    ]);
    const [entry] = await auth.store.listAudit(1);
    expect(entry).toMatchObject({ actor: userInfo().username, at: expect.any(Number) });
    output();
    expect(await admin("audit", "list", "--limit", "3")).toBe(0);
    expect(output().trim().split("\n")).toHaveLength(3);
  });

  it("AB11 deletes a user only with a choice for the servers", async () => {
    await auth.register("ada");
    expect(await admin("users", "delete", "ada")).toBe(2);
    expect((await auth.login("ada")).status).toBe(200);
    expect(await admin("users", "delete", "ada", "--owned-servers", "delete")).toBe(0);
    expect((await auth.login("ada")).status).toBe(401);
    expect(await admin("users", "delete", "ada", "--owned-servers", "delete")).toBe(1);
    expect((await auditLog()).map(([, , outcome]) => outcome)).toEqual([
      ...["begun", "failed", "begun", "done", "begun", "not done"],
    ]);
  });

  it("AB11 prints a reset link and an invitation that work, and stores neither", async () => {
    await auth.register("ada");
    expect(await admin("users", "reset-link", "ada")).toBe(0);
    const link = output().trim();
    expect(link).toMatch(/^https:\/\/chat\.example\/reset\?code=[0-9a-f]{64}$/);
    const code = new URL(link).searchParams.get("code") ?? "";
    const row = await auth.store.findResetCode(code, 0);
    expect(row).toBeNull();
    expect(await admin("invitations", "create", "--uses", "3", "--days", "7")).toBe(0);
    const invitation = output().trim();
    expect(await admin("invitations", "list")).toBe(0);
    expect(output()).toContain("3 of 3");
    const kept = JSON.stringify([await auth.store.listAudit(99), await auth.store.listInvitations(9)]);
    for (const secret of [code, invitation]) expect(kept).not.toContain(secret);
    const [first] = await auth.store.listInvitations(1);
    expect(await admin("invitations", "revoke", first?.id ?? "")).toBe(0);
    await admin("invitations", "list");
    expect(output()).toContain("revoked");
  });

  it("AB11 lists reports, so that their text cannot pass for another line, and resolves them", async () => {
    const { id } = await auth.register("ada");
    const bob = await auth.register("bob");
    const quotedText = "a\nb";
    const body = { userId: id, reason: "spam", quotedText };
    await auth.send("POST", "/api/users/reports", { token: bob.token, body });
    expect(await admin("reports", "list")).toBe(0);
    const lines = output().trim().split("\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"a\\nb');
    const reportId = lines[0]?.split("\t")[0] ?? "";
    expect(await admin("reports", "resolve", reportId, "--note", "warned")).toBe(0);
    expect(await admin("reports", "resolve", newId())).toBe(1);
    await admin("reports", "list");
    expect(output()).toBe("");
    await admin("reports", "list", "--all");
    expect(output()).toContain("warned");
  });

  it.each([
    [[]],
    [["users"]],
    [["users", "suspend"]],
    [["users", "suspend", "a", "b"]],
    [["users", "suspend", "a", "--all"]],
    [["users", "explode", "a"]],
    [["constructor", "x"]],
    [["invitations", "create", "--uses", "0"]],
    [["invitations", "create", "--days", "x"]],
    [["invitations", "create", "--unknown"]],
    [["audit", "list", "extra"]],
  ])("AB11 refuses invalid commands: %j", async (argv) => {
    expect(await admin(...argv)).toBe(2);
    expect(complained.join("")).not.toBe("");
    expect(output()).toBe("");
  });
});
