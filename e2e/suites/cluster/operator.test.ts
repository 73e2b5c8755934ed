import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import {
  call,
  createServer,
  dialPlain,
  expectOk,
  openDevice,
  PASSWORD,
  register,
} from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { startChild } from "../../src/server/child.ts";
import { type Cluster, startCluster } from "../../src/server/cluster.ts";
import { addressesFor } from "../../src/server/member.ts";

/** The commands run beside two processes of their service with the environment of one, as in a container. */
describe("the operator of a cluster", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ auth: 2, discovery: 2, presence: 2 });
  }, 120_000);
  afterAll(async () => {
    await cluster.stop();
    await cluster.cleanUp();
  });

  const command = async (service: "auth" | "discovery", ...args: string[]) => {
    const env = {
      ...addressesFor({ ...cluster, servers: cluster, service }),
      PUBLIC_URL: "https://chat.example",
    };
    const child = startChild([`${service}-service/src/operator/main.ts`, ...args], env);
    return { code: await child.ended, out: child.stdout().trim(), err: child.stderr().trim() };
  };
  const users = (...args: string[]) => command("auth", ...args);
  const servers = (...args: string[]) => command("discovery", ...args);
  /** Without the entries that reading the log adds. */
  const auditOf = async (text: string): Promise<string[]> => {
    const { out } = await users("audit", "list", "--limit", "50");
    return out.split("\n").filter((line) => line.includes(text));
  };

  it("AB11 suspends a user whose sockets are on other nodes, and creates a reset link", async () => {
    const { url } = cluster;
    const eve = await register(url);
    const device = await openDevice(dialPlain, url, eve);
    expect(await users("users", "suspend", eve.username)).toMatchObject({ code: 0 });
    const since = performance.now();
    expect((await device.closed).code).toBeGreaterThanOrEqual(4000);
    expect(performance.now() - since).toBeLessThan(2_000);
    const body = { username: eve.username, password: PASSWORD };
    expectProblem(await call(url, "POST", "/api/users/login", { body }), "ACCOUNT_SUSPENDED");
    expect((await users("users", "unsuspend", eve.username)).code).toBe(0);
    const { out } = await users("users", "reset-link", eve.username);
    const reset = { code: new URL(out).searchParams.get("code"), newPassword: "battery staple" };
    await expectOk(url, "POST", "/api/users/reset", { body: reset });
    await expectOk(url, "POST", "/api/users/login", { body: { ...body, password: "battery staple" } });
    expect(await auditOf(eve.username)).toHaveLength(6);
  }, 60_000);

  it("AB11 finds, features and deletes a server; the audit log records it", async () => {
    const { url } = cluster;
    const owner = await register(url);
    const { id } = await createServer(url, owner, { name: "Glass house", visibility: "public" });
    expect((await servers("find", "GLASS")).out).toContain(id);
    expect(await servers("feature", id)).toMatchObject({ code: 0, out: "Done" });
    await until(async () => {
      const { items } = await expectOk<{ items: { id: string }[] }>(url, "GET", "/api/servers/featured");
      return items.some((item) => item.id === id);
    }, 15_000);
    expect(await servers("delete", id)).toMatchObject({ code: 0, out: "Done" });
    expect(await servers("delete", id)).toMatchObject({ code: 1, err: "No such server" });
    expectProblem(await call(url, "GET", `/api/servers/${id}`, { token: owner.token }), "NOT_FOUND");
    const log = await auditOf(id);
    expect(log.map((line) => /servers (\w+)/.exec(line)?.[1]).reverse()).toEqual([
      ...["feature", "feature", "delete", "delete", "delete", "delete"],
    ]);
    expect(log.filter((line) => line.includes("not done"))).toHaveLength(1);
  }, 90_000);

  it("AB11 changes no server while the audit log cannot be written", async () => {
    const { url } = cluster;
    const owner = await register(url);
    const { id } = await createServer(url, owner, { name: "Stone house" });
    await Promise.all(cluster.auth.map((member) => member.end()));
    const { code, err } = await servers("delete", id);
    expect(code).toBe(2);
    expect(err).not.toContain("    at ");
    await Promise.all(cluster.auth.map((member) => member.start()));
    await cluster.ready();
    await expectOk(url, "GET", `/api/servers/${id}`, { token: owner.token });
    expect(await auditOf(id)).toEqual([]);
  }, 120_000);
});
