import { CLOSE, type JoinedServer, LIMITS } from "@hearth/contracts";
import { expect, it } from "@jest/globals";
import {
  call,
  createServer,
  type Device,
  dialPlain,
  expectOk,
  join,
  login,
  openDevice,
} from "../../src/client/index.ts";
import { inRounds } from "../../src/expectations/races.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { closeAll, describeThreeNodes, isAlive, NODES } from "../../src/faults/three-nodes.ts";

const SECOND = 1_000;

describeThreeNodes("three presence nodes admit and remove users as one", (nodes, common) => {
  it("AU6 I4 logging out closes only the session's sockets, on every node, within a second", async () => {
    const account = await nodes.newcomer();
    const other = await login(nodes.doorOf(1), account.username);
    const doomed = await nodes.onEach(account);
    const kept = await nodes.onEach(other);
    await expectOk(nodes.doorOf(0), "POST", "/api/users/logout", { token: account.token });
    const since = performance.now();
    for (const device of doomed) await device.closed;
    expect(performance.now() - since).toBeLessThan(SECOND);
    expect(await Promise.all(kept.map(isAlive))).toEqual([true, true, true]);
    for (const node of NODES)
      expectProblem(
        await call(nodes.doorOf(node), "GET", "/api/users/me", { token: account.token }),
        "AUTH_INVALID",
      );
    await closeAll(...kept);
  });

  it("DI7 removal and a ban take a user out on every node, and a ban keeps the user out of all", async () => {
    const { owner, room } = common();
    const account = await nodes.newcomer();
    const devices = await nodes.onEach(account);
    const path = `/api/servers/${room.id}`;
    for (const [method, what] of [
      ["DELETE", "members"],
      ["PUT", "bans"],
    ] as const) {
      for (const device of devices) await join(device, room.id);
      const body = method === "PUT" ? { body: {} } : {};
      const target = `${path}/${what}/${account.id}`;
      expect(
        (await call(nodes.doorOf(1), method, target, { token: owner.token, ...body })).status,
      ).toBeLessThan(300);
      for (const device of devices) await device.inbox.next("removed_from_server", () => true, SECOND);
    }
    for (const device of devices)
      expect(await device.ask({ type: "join_server", serverId: room.id })).toMatchObject({
        code: "BANNED",
      });
    await closeAll(...devices);
  });

  it("DI6 a user's joins are limited across all gateways and services", async () => {
    const { owner } = common();
    const account = await nodes.newcomer();
    const attempts = LIMITS.serverJoins.points + 12;
    const places: JoinedServer[] = [];
    while (places.length < attempts)
      places.push(await createServer(nodes.doorOf(0), owner, { name: `Place ${places.length}` }));
    const answers = await inRounds(places, 7, ({ id }, n) =>
      call(nodes.doorOf(n), "POST", `/api/servers/${id}/join`, { token: account.token, body: {} }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMITS.serverJoins.points);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(12);
  }, 40_000);

  it("WS12 a user may have 100 connections across all nodes; the 101st is closed with 4505", async () => {
    const account = await nodes.newcomer();
    const devices: Device[] = [];
    for (let n = 0; n < LIMITS.connectionsPerUser; n += 1)
      devices.push(await openDevice(dialPlain, nodes.doorOf(n), account));
    const last = await dialPlain(nodes.doorOf(1));
    last.send({ type: "identify", token: account.token, clientInstanceId: crypto.randomUUID() });
    expect((await last.closed).code).toBe(CLOSE.TOO_MANY_CONNECTIONS.code);
    expect(await Promise.all(devices.map(isAlive))).toEqual(devices.map(() => true));
    await Promise.all(devices.map((device) => device.close()));
  }, 60_000);
});
