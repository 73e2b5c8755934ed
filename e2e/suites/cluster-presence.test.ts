import { CLOSE, type Channel, type Credential, type JoinedServer, LIMITS } from "@hearth/contracts";
import { beforeAll, expect, it } from "@jest/globals";
import {
  call,
  createServer,
  type Device,
  type Dial,
  dialPlain,
  dialSocketIo,
  expectOk,
  join,
  login,
  type Message,
  openDevice,
  register,
  settled,
  type Socket,
} from "../src/client/index.ts";
import { eventually } from "../src/expectations/eventually.ts";
import { expectProblem } from "../src/expectations/problem.ts";
import { metricsOf } from "../src/server/metrics.ts";
import { describeCluster } from "../src/faults/cluster-for-tests.ts";

const NODES = 3;
const SECOND = 1_000;

describeCluster(
  "three nodes of presence behave as one",
  (cluster) => {
    let owner: Credential;
    let room: JoinedServer;
    let witness: Device;

    const doorOf = (node: number): string => cluster().gateways[node % NODES]?.url ?? "";
    const dialOf = (node: number): Dial => (node % 2 === 0 ? dialPlain : dialSocketIo);
    const SCOPE = "wss://hearth.test";
    /** Dials the node of that number; people know one address, whichever node they come to. */
    const dialled = async (node: number, account: Credential, clientInstanceId: string): Promise<Socket> => {
      const socket = await dialOf(node)(doorOf(node));
      const { token, id: oderId } = account;
      socket.send({ type: "identify", token, oderId, clientInstanceId, connectionScope: SCOPE });
      return socket;
    };
    const on = async (
      node: number,
      account: Credential,
      clientInstanceId: string = crypto.randomUUID(),
    ): Promise<Device> => {
      const socket = await dialled(node, account, clientInstanceId);
      const identified = await socket.inbox.next("identified");
      return { ...socket, credential: account, clientInstanceId, identified };
    };
    const newcomer = (): Promise<Credential> => register(doorOf(0));
    const closeAll = async (...devices: readonly Device[]): Promise<void> => {
      for (const device of devices) await device.close();
    };
    const isAlive = async (device: Device): Promise<boolean> =>
      Promise.race([
        device.ask({ type: "ping" }).then(() => true),
        device.closed.then(() => false),
        new Promise<boolean>((resolve) => setTimeout(resolve, SECOND, false)),
      ]);
    beforeAll(async () => {
      owner = await newcomer();
      room = await createServer(doorOf(0), owner, { name: "Three nodes" });
      witness = await on(2, owner);
      await join(witness, room.id);
    }, 60_000);

    it("WS11 each client is where it was sent", async () => {
      const before = await Promise.all(cluster().presence.map(sockets));
      const account = await newcomer();
      const devices = await Promise.all([0, 1, 2].map((node) => on(node, account)));
      const after = await Promise.all(cluster().presence.map(sockets));
      expect(after.map((count, node) => count - (before[node] ?? 0))).toEqual([1, 1, 1]);
      await closeAll(...devices);
    });

    it("WS6 X2 of one device on three nodes at the same moment exactly one survives, 30 times", async () => {
      for (let run = 0; run < 30; run += 1) {
        const account = await newcomer();
        const id = crypto.randomUUID();
        const sockets = await Promise.all([0, 1, 2].map((node) => dialled(node + run, account, id)));
        const ended = new Set<Socket>();
        for (const socket of sockets) void socket.closed.then(() => ended.add(socket));
        await eventually(2 * SECOND, async () => ended.size >= 2);
        const [survivor, ...others] = sockets.filter((socket) => !ended.has(socket));
        expect([run, others.length]).toEqual([run, 0]);
        expect(await survivor?.ask({ type: "ping" })).toMatchObject({ type: "pong" });
        expect(
          survivor?.inbox.types.filter((type) => type === "identified" || type === "superseded"),
        ).toEqual(["identified"]);
        await survivor?.close();
      }
    }, 60_000);

    it("WS6 the later of two wins, and the earlier is told superseded and closed with 4503", async () => {
      const account = await newcomer();
      const id = crypto.randomUUID();
      const first = await on(0, account, id);
      const second = await on(1, account, id);
      expect(await first.inbox.next("superseded")).toMatchObject({ type: "superseded" });
      // Dialled by the plain door, where the code is seen.
      expect((await first.closed).code).toBe(CLOSE.SUPERSEDED.code);
      const third = await on(2, account, id);
      await second.closed;
      expect(await isAlive(third)).toBe(true);
      await third.close();
    });

    it("WS8 a user with devices on three nodes joins once and leaves once", async () => {
      const account = await newcomer();
      const devices: Device[] = [];
      for (const node of [0, 1, 2]) {
        const device = await on(node, account);
        await join(device, room.id);
        devices.push(device);
      }
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

    it("WS8 who enters sees the people on every node", async () => {
      const people = await Promise.all([0, 1, 2].map(newcomer));
      const devices: Device[] = [];
      for (const [node, account] of people.entries()) {
        const device = await on(node, account);
        await join(device, room.id);
        devices.push(device);
      }
      const late = await on(1, await newcomer());
      const { users } = (await join(late, room.id)) as Message & { users: { oderId: string }[] };
      const present = users.map(({ oderId }) => oderId);
      expect(present).toEqual(expect.arrayContaining([owner.id, ...people.map(({ id }) => id)]));
      await closeAll(late, ...devices);
    });

    it("I8 I3 a message reaches everybody on every node once and in order, and never its sender", async () => {
      const people = await Promise.all([0, 1, 2].map(newcomer));
      const devices: Device[] = [];
      for (const [node, account] of people.entries()) {
        const device = await on(node, account);
        await join(device, room.id);
        devices.push(device);
      }
      const each = 40;
      for (let n = 0; n < each; n += 1)
        for (const device of devices)
          device.send({ type: "chat_message", serverId: room.id, message: { id: `${n}`, content: "x" } });
      for (const device of [witness, ...devices]) {
        for (const { credential } of devices.filter((other) => other !== device)) {
          const from = (message: Message): boolean => message["fromUserId"] === credential.id;
          await eventually(5 * SECOND, async () => device.inbox.count("chat_message", from) >= each);
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

    it("AS1 account_sync reaches the account's devices on every node once, never the sender or others", async () => {
      const account = await newcomer();
      const [sender, ...siblings] = (await Promise.all([0, 1, 2].map((node) => on(node, account)))) as [
        Device,
        Device,
        Device,
      ];
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

    it("WS7 X9 of the devices on all nodes exactly one is the responder to a new one, which hears nothing itself", async () => {
      const account = await newcomer();
      const devices: Device[] = [];
      for (const node of [0, 1, 2, 1]) {
        const next = await on(node, account);
        await settled(next, ...devices);
        expect(next.inbox.count("account_sync_peer_online")).toBe(0);
        const told = await Promise.all(
          devices.map((device) => device.inbox.next("account_sync_peer_online")),
        );
        if (devices.length > 0) expect(told.filter(({ responder }) => responder === true)).toHaveLength(1);
        devices.push(next);
      }
      await closeAll(...devices);
    });

    it("VO2 voice is taken over from another node, and of takeovers on all nodes at once all agree on one", async () => {
      const account = await newcomer();
      const devices: Device[] = [];
      for (const node of [0, 1, 2]) {
        const device = await on(node, account);
        await join(device, room.id);
        devices.push(device);
      }
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
        // News of takeovers may overtake each other on their way; the highest fence counts.
        const owners = devices.map(({ inbox }) => newest(inbox.all)["ownerClientInstanceId"]);
        expect([run, new Set(owners).size]).toEqual([run, 1]);
      }
      await closeAll(...devices);
    });

    it("AU6 I4 logging out closes the session's sockets on every node within a second, and no other", async () => {
      const account = await newcomer();
      const other = await login(doorOf(1), account.username);
      const doomed = await Promise.all([0, 1, 2].map((node) => on(node, account)));
      const kept = await Promise.all([0, 1, 2].map((node) => on(node, other)));
      await expectOk(doorOf(0), "POST", "/api/users/logout", { token: account.token });
      const since = performance.now();
      for (const device of doomed) await device.closed;
      expect(performance.now() - since).toBeLessThan(SECOND);
      expect(await Promise.all(kept.map(isAlive))).toEqual([true, true, true]);
      for (const node of [0, 1, 2])
        expectProblem(
          await call(doorOf(node), "GET", "/api/users/me", { token: account.token }),
          "AUTH_INVALID",
        );
      await closeAll(...kept);
    });

    it("DI7 who is removed or banned is out on every node, and a ban keeps out of all", async () => {
      const account = await newcomer();
      const devices = await Promise.all([0, 1, 2].map((node) => on(node, account)));
      const path = `/api/servers/${room.id}`;
      for (const [method, what] of [
        ["DELETE", "members"],
        ["PUT", "bans"],
      ] as const) {
        for (const device of devices) await join(device, room.id);
        const body = method === "PUT" ? { body: {} } : {};
        const target = `${path}/${what}/${account.id}`;
        expect((await call(doorOf(1), method, target, { token: owner.token, ...body })).status).toBeLessThan(
          300,
        );
        for (const device of devices) await device.inbox.next("removed_from_server", () => true, SECOND);
      }
      for (const device of devices)
        expect(await device.ask({ type: "join_server", serverId: room.id })).toMatchObject({
          code: "BANNED",
        });
      await closeAll(...devices);
    });

    it("DI6 becoming a member is limited for a user, whichever gateways and services are asked", async () => {
      const account = await newcomer();
      const attempts = LIMITS.serverJoins.points + 12;
      const places: JoinedServer[] = [];
      while (places.length < attempts)
        places.push(await createServer(doorOf(0), owner, { name: `Place ${places.length}` }));
      const answers = await Promise.all(
        places.map(({ id }, n) =>
          call(doorOf(n), "POST", `/api/servers/${id}/join`, { token: account.token, body: {} }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMITS.serverJoins.points);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(12);
    }, 40_000);

    it("WS12 a user may have 100 connections on all nodes together; the 101st is closed with 4505", async () => {
      const account = await newcomer();
      const devices: Device[] = [];
      for (let n = 0; n < LIMITS.connectionsPerUser; n += 1)
        devices.push(await openDevice(dialPlain, doorOf(n), account));
      const last = await dialPlain(doorOf(1));
      last.send({ type: "identify", token: account.token, clientInstanceId: crypto.randomUUID() });
      expect((await last.closed).code).toBe(CLOSE.TOO_MANY_CONNECTIONS.code);
      expect(await Promise.all(devices.map(isAlive))).toEqual(devices.map(() => true));
      await Promise.all(devices.map((device) => device.close()));
    }, 60_000);
  },
  { presence: NODES, gateways: NODES, pinned: true },
);

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

const voiceChannelOf = ({ channels }: JoinedServer): Channel => {
  const channel = channels.find(({ kind }) => kind === "voice");
  if (!channel) throw new Error("a new server has a voice channel");
  return channel;
};

const sockets = async ({ metricsUrl }: { readonly metricsUrl: string }): Promise<number> => {
  return (await metricsOf({ metricsUrl })).sum("hearth_presence_identified_connections");
};
