import { CLOSE, type Credential } from "@hearth/contracts";
import { expect, it } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import {
  type Device,
  join,
  type Message,
  settled,
  type Socket,
  voiceChannelOf,
} from "../../src/client/index.ts";
import { closeAll, describeThreeNodes, isAlive, NODES } from "../../src/faults/three-nodes.ts";
import { metricsOf } from "../../src/server/metrics.ts";

const SECOND = 1_000;

describeThreeNodes("three presence nodes behave as one", (nodes, common) => {
  it("WS11 each client is connected to the node it was sent to", async () => {
    const before = await Promise.all(nodes.presence.map(sockets));
    const account = await nodes.newcomer();
    const devices = await nodes.onEach(account);
    const after = await Promise.all(nodes.presence.map(sockets));
    expect(after.map((count, node) => count - (before[node] ?? 0))).toEqual([1, 1, 1]);
    await closeAll(...devices);
  });

  it("WS6 X2 when one device connects to three nodes at once exactly one connection survives, 30 times", async () => {
    for (let run = 0; run < 30; run += 1) {
      const account = await nodes.newcomer();
      const id = crypto.randomUUID();
      const sockets = await Promise.all(NODES.map((node) => nodes.dialled(node + run, account, id)));
      const ended = new Set<Socket>();
      for (const socket of sockets) void socket.closed.then(() => ended.add(socket));
      await until(async () => ended.size >= 2, 2 * SECOND);
      const [survivor, ...others] = sockets.filter((socket) => !ended.has(socket));
      expect([run, others.length]).toEqual([run, 0]);
      expect(await survivor?.ask({ type: "ping" })).toMatchObject({ type: "pong" });
      expect(survivor?.inbox.types.filter((type) => type === "identified" || type === "superseded")).toEqual([
        "identified",
      ]);
      await survivor?.close();
    }
  }, 60_000);

  it("WS6 the later of two connections wins; the earlier gets superseded and closes with 4503", async () => {
    const account = await nodes.newcomer();
    const id = crypto.randomUUID();
    const first = await nodes.on(0, account, id);
    const second = await nodes.on(1, account, id);
    expect(await first.inbox.next("superseded")).toMatchObject({ type: "superseded" });
    // Over the plain door, which shows the close code.
    expect((await first.closed).code).toBe(CLOSE.SUPERSEDED.code);
    const third = await nodes.on(2, account, id);
    await second.closed;
    expect(await isAlive(third)).toBe(true);
    await third.close();
  });

  it("WS8 others see a user with devices on three nodes join once and leave once", async () => {
    const { room, witness } = common();
    const account = await nodes.newcomer();
    const devices = await nodes.enterOnEach(room, account);
    await settled(witness);
    expect(witness.inbox.count("user_joined", aboutUser(account))).toBe(1);
    const [first, second, third] = devices as [Device, Device, Device];
    await first.ask({ type: "leave_server", serverId: room.id });
    await second.close();
    await settled(witness);
    expect(witness.inbox.count("user_left", aboutUser(account))).toBe(0);
    await third.close();
    await witness.inbox.next("user_left", aboutUser(account));
    await settled(witness);
    expect(witness.inbox.count("user_left", aboutUser(account))).toBe(1);
    await first.close();
  });

  it("WS8 a user who joins sees the users on every node", async () => {
    const { owner, room } = common();
    const devices = await nodes.enterOnEach(room);
    const late = await nodes.on(1, await nodes.newcomer());
    const { users } = (await join(late, room.id)) as Message & { users: { oderId: string }[] };
    const present = users.map(({ oderId }) => oderId);
    expect(present).toEqual(
      expect.arrayContaining([owner.id, ...devices.map(({ credential }) => credential.id)]),
    );
    await closeAll(late, ...devices);
  });

  it("I8 I3 a message reaches everybody else on every node, once and in order", async () => {
    const { room, witness } = common();
    const devices = await nodes.enterOnEach(room);
    const each = 40;
    for (let n = 0; n < each; n += 1)
      for (const device of devices)
        device.send({ type: "chat_message", serverId: room.id, message: { id: `${n}`, content: "x" } });
    for (const device of [witness, ...devices]) {
      for (const { credential } of devices.filter((other) => other !== device)) {
        const from = (message: Message): boolean => message["fromUserId"] === credential.id;
        await until(async () => device.inbox.count("chat_message", from) >= each, 5 * SECOND);
        const ids = device.inbox.all
          .filter((message) => message.type === "chat_message" && from(message))
          .map(({ message }) => (message as { id: string }).id);
        expect(ids).toEqual(Array.from({ length: each }, (_, n) => `${n}`));
      }
      const own = device.credential.id;
      if (device !== witness)
        expect(device.inbox.count("chat_message", ({ fromUserId }) => fromUserId === own)).toBe(0);
    }
    await closeAll(...devices);
  });

  it("AS1 account_sync reaches the account's other devices on every node, once, and nobody else", async () => {
    const { witness } = common();
    const account = await nodes.newcomer();
    const [sender, ...siblings] = (await nodes.onEach(account)) as [Device, Device, Device];
    const payload = { type: "custom", marker: crypto.randomUUID() };
    expect(
      await sender.ask({ type: "account_sync", clientInstanceId: sender.clientInstanceId, payload }),
    ).toMatchObject({ type: "ack" });
    for (const sibling of siblings)
      expect(await sibling.inbox.next("account_sync")).toMatchObject({ payload, fromUserId: account.id });
    await settled(sender, witness, ...siblings);
    for (const sibling of siblings) expect(sibling.inbox.count("account_sync")).toBe(1);
    for (const other of [sender, witness]) expect(other.inbox.count("account_sync")).toBe(0);
    await closeAll(sender, ...siblings);
  });

  it("WS7 X9 exactly one device across all nodes responds to a new one, and the new one is not asked", async () => {
    const account = await nodes.newcomer();
    const devices: Device[] = [];
    for (const node of [0, 1, 2, 1]) {
      const next = await nodes.on(node, account);
      await settled(next, ...devices);
      expect(next.inbox.count("account_sync_peer_online")).toBe(0);
      const told = await Promise.all(devices.map((device) => device.inbox.next("account_sync_peer_online")));
      if (devices.length > 0) expect(told.filter(({ responder }) => responder === true)).toHaveLength(1);
      devices.push(next);
    }
    await closeAll(...devices);
  });

  it("VO2 a device on another node can take voice over; simultaneous takeovers on all nodes agree on one owner", async () => {
    const { room } = common();
    const account = await nodes.newcomer();
    const devices = await nodes.enterOnEach(room, account);
    const [first, second] = devices as [Device, Device];
    const channelId = voiceChannelOf(room).id;
    const talk = { type: "voice_state", serverId: room.id, channelId };
    expect(await first.ask(talk)).toMatchObject({ type: "ack" });
    expect(await second.ask(talk)).toMatchObject({ code: "VOICE_NOT_OWNER" });
    const takeover = { type: "voice_client_takeover", serverId: room.id, channelId };
    expect(await second.ask(takeover)).toMatchObject({ type: "ack" });
    for (let run = 0; run < 10; run += 1) {
      await Promise.all(devices.map((device) => device.ask(takeover)));
      await settled(...devices);
      // Notices of takeovers may arrive out of order; the highest fence counts.
      const owners = devices.map(({ inbox }) => newest(inbox.all)["ownerClientInstanceId"]);
      expect([run, new Set(owners).size]).toEqual([run, 1]);
    }
    await closeAll(...devices);
  });
});

const aboutUser =
  ({ id }: Credential) =>
  (message: Message): boolean =>
    JSON.stringify(message).includes(id);

const newest = (messages: readonly Message[]): Message => {
  const [first, ...others] = messages.filter(({ type }) => type === "voice_client_takeover");
  if (!first) throw new Error("nobody has taken voice");
  return others.reduce(
    (known, next) => (Number(next["fence"]) > Number(known["fence"]) ? next : known),
    first,
  );
};

const sockets = async ({ metricsUrl }: { readonly metricsUrl: string }): Promise<number> => {
  return (await metricsOf({ metricsUrl })).sum("hearth_presence_identified_connections");
};
