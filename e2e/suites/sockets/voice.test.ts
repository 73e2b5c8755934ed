import { type Channel, type Credential, type JoinedServer } from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  createServer,
  type Device,
  type Dial,
  type DoorName,
  dialPlain,
  dialRaw,
  dialSocketIo,
  join,
  type Message,
  openDevice,
  RAW_DOORS,
  type RawSocket,
  register,
  settled,
  voiceChannelOf,
} from "../../src/client/index.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

/** VO3 */
const GRACE_MS = 10_000;

const server = serverForTests();
let room: JoinedServer;
let other: JoinedServer;
let witness: Device;
let lounge: Channel;

beforeAll(async () => {
  const owner = await register(server.url);
  room = await createServer(server.url, owner, { name: "The stage" });
  other = await createServer(server.url, owner, { name: "The cellar" });
  lounge = voiceChannelOf(room);
  witness = await openDevice(dialPlain, server.url, owner);
  await join(witness, room.id);
  await join(witness, other.id);
}, 120_000);

afterAll(async () => {
  await witness.close();
});

const talk = (fields: object = {}): Message => ({
  type: "voice_state",
  serverId: room.id,
  channelId: lounge.id,
  ...fields,
});

/** Waits for the voice states of one user in the server. */
const heard = (oderId: string, wanted: (message: Message) => boolean = () => true, patienceMs?: number) =>
  witness.inbox.next(
    "voice_state",
    (message) => message["fromUserId"] === oderId && wanted(message),
    patienceMs,
  );

const silences = (oderId: string): number =>
  witness.inbox.count(
    "voice_state",
    ({ fromUserId, channelId }) => fromUserId === oderId && channelId === null,
  );

const PAIRS: readonly (readonly [string, Dial, Dial])[] = [
  ["plain to Socket.IO", dialPlain, dialSocketIo],
  ["Socket.IO to plain", dialSocketIo, dialPlain],
];

describe.each(PAIRS)("voice of one user on two devices, %s", (_title, dialFirst, dialSecond) => {
  let account: Credential;
  let first: Device;
  let second: Device;
  let fence: number;

  beforeAll(async () => {
    account = await register(server.url);
    first = await openDevice(dialFirst, server.url, account);
    second = await openDevice(dialSecond, server.url, account);
    for (const device of [first, second]) {
      await join(device, room.id);
      await join(device, other.id);
    }
  });
  afterAll(async () => {
    await first.close();
    await second.close();
  });

  it("VO1 the first device to talk owns voice; the user's devices and the server are told", async () => {
    const ack = await first.ask(talk({ muted: true }));
    expect(ack).toMatchObject({ type: "ack", inReplyTo: "voice_state", fence: expect.any(Number) });
    fence = Number(ack["fence"]);
    for (const device of [first, second]) {
      expect(await device.inbox.next("voice_client_takeover")).toMatchObject({
        ownerClientInstanceId: first.clientInstanceId,
        fence,
        serverId: room.id,
        channelId: lounge.id,
      });
    }
    expect(await heard(account.id)).toMatchObject({ channelId: lounge.id, muted: true, fence });
  });

  it("VO1 the other device gets VOICE_NOT_OWNER with the owner; nobody else is told", async () => {
    const before = witness.inbox.count("voice_state");
    expect(await second.ask(talk())).toMatchObject({
      type: "error",
      code: "VOICE_NOT_OWNER",
      ownerClientInstanceId: first.clientInstanceId,
      fence,
    });
    expect(await second.ask(talk({ channelId: null }))).toMatchObject({ code: "VOICE_NOT_OWNER" });
    await settled(witness);
    expect(witness.inbox.count("voice_state")).toBe(before);
  });

  it("VO1 the owner changes its state without a new fence, and a newcomer sees the state", async () => {
    expect(await first.ask(talk({ muted: false, deafened: true, fence }))).toMatchObject({
      type: "ack",
      fence,
    });
    expect(await heard(account.id)).toMatchObject({ muted: false, deafened: true });
    const newcomer = await openDevice(dialSecond, server.url, await register(server.url));
    const joined = await join(newcomer, room.id);
    const users = joined["users"] as { oderId: string; voice?: unknown }[];
    expect(users.find(({ oderId }) => oderId === account.id)?.voice).toEqual({
      channelId: lounge.id,
      muted: false,
      deafened: true,
    });
    await newcomer.close();
  });

  it("VO2 a takeover moves voice with a higher fence; the server sees one continuous presence", async () => {
    const ack = await second.ask({ type: "voice_client_takeover", fence });
    expect(ack).toMatchObject({ type: "ack", inReplyTo: "voice_client_takeover" });
    expect(Number(ack["fence"])).toBeGreaterThan(fence);
    for (const device of [first, second]) {
      const news = await device.inbox.next("voice_client_takeover");
      expect(news).toMatchObject({ ownerClientInstanceId: second.clientInstanceId, fence: ack["fence"] });
      expect(news).toMatchObject({ serverId: room.id, channelId: lounge.id });
    }
    await settled(witness);
    expect(silences(account.id)).toBe(0);
    expect(await first.ask(talk({ fence }))).toMatchObject({
      type: "error",
      code: "STALE_FENCE",
      fence: ack["fence"],
    });
    expect(await first.ask({ type: "voice_client_takeover", fence })).toMatchObject({ code: "STALE_FENCE" });
    expect(await second.ask(talk({ fence: ack["fence"] }))).toMatchObject({ type: "ack" });
    fence = Number(ack["fence"]);
  });

  it("VO2 all devices agree on one owner after simultaneous takeovers, 20 times", async () => {
    for (let run = 0; run < 20; run += 1) {
      const takeover = { type: "voice_client_takeover" };
      const [one, two] = await Promise.all([first.ask(takeover), second.ask(takeover)]);
      const winner = Number(one["fence"]) > Number(two["fence"]) ? first : second;
      fence = Math.max(Number(one["fence"]), Number(two["fence"]));
      for (const device of [first, second]) {
        const news = await device.inbox.next(
          "voice_client_takeover",
          (message) => message["fence"] === fence,
        );
        expect(news["ownerClientInstanceId"]).toBe(winner.clientInstanceId);
      }
      const loser = winner === first ? second : first;
      expect(await loser.ask(talk())).toMatchObject({ ownerClientInstanceId: winner.clientInstanceId });
      expect(await winner.ask(talk())).toMatchObject({ type: "ack", fence });
    }
    expect(silences(account.id)).toBe(0);
  });

  it("VO1 talking in another server ends voice in the first one", async () => {
    const owner = (await first.ask(talk()))["type"] === "ack" ? first : second;
    const channelId = voiceChannelOf(other).id;
    expect(await owner.ask(talk({ serverId: other.id, channelId }))).toMatchObject({ type: "ack" });
    expect(await heard(account.id, ({ channelId: each }) => each === null)).toMatchObject({
      serverId: room.id,
    });
    await heard(account.id, ({ serverId, channelId: each }) => serverId === other.id && each === channelId);
    expect(await owner.ask(talk({ serverId: other.id, channelId: null }))).toMatchObject({ type: "ack" });
    expect(await heard(account.id, ({ channelId: each }) => each === null)).toMatchObject({
      serverId: other.id,
    });
    for (const device of [first, second]) {
      await device.inbox.next(
        "voice_client_takeover",
        ({ ownerClientInstanceId }) => ownerClientInstanceId === null,
      );
    }
    expect(await first.ask({ type: "voice_client_takeover" })).toMatchObject({ code: "NOT_FOUND" });
  });

  it("VO3 leaving the server ends voice at once, and another device may own it", async () => {
    expect(await first.ask(talk())).toMatchObject({ type: "ack" });
    first.send({ type: "leave_server", serverId: room.id });
    await first.inbox.next("server_left");
    await heard(account.id, ({ channelId }) => channelId === null);
    expect(await second.ask(talk())).toMatchObject({ type: "ack" });
    expect(await second.ask(talk({ channelId: null }))).toMatchObject({ type: "ack" });
    await join(first, room.id);
  });
});

describe("the owner's lost connection", () => {
  /** A raw connection, because it must end like a cut cable: without a close frame. */
  const talker = async (
    door: DoorName,
    { token }: Credential,
    clientInstanceId: string,
  ): Promise<RawSocket> => {
    const socket = await dialRaw(server.url, door);
    const connectionScope = server.url.replace(/^http/, "ws");
    socket.say(JSON.stringify({ type: "identify", token, clientInstanceId, connectionScope }), "identify");
    socket.say(JSON.stringify({ type: "join_server", serverId: room.id }), "join_server");
    await socket.inbox.next("server_joined");
    return socket;
  };
  const say = (socket: RawSocket, message: Message): void =>
    socket.say(JSON.stringify(message), message.type);

  it("VO3 keeps its lease for 10 s: a returning owner keeps voice, otherwise it ends and the server is told once", async () => {
    const broken = await Promise.all(
      RAW_DOORS.flatMap((door) => [true, false].map((returns) => ({ door, returns }))).map(
        async ({ door, returns }) => {
          const account = await register(server.url);
          const clientInstanceId = crypto.randomUUID();
          const sibling = await openDevice(dialPlain, server.url, account);
          await join(sibling, room.id);
          const socket = await talker(door, account, clientInstanceId);
          say(socket, talk());
          const { fence } = await sibling.inbox.next("voice_client_takeover");
          socket.webSocket.terminate();
          return { door, returns, account, clientInstanceId, sibling, fence };
        },
      ),
    );
    const since = Date.now();
    for (const { sibling } of broken) {
      // Still owned: the owner may return.
      expect(await sibling.ask(talk())).toMatchObject({ code: "VOICE_NOT_OWNER" });
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const back = [];
    for (const { door, returns, account, clientInstanceId, fence } of broken.filter((each) => each.returns)) {
      expect(returns).toBe(true);
      const socket = await talker(door, account, clientInstanceId);
      expect(socket.inbox.all[0]).toMatchObject({
        voice: { ownerClientInstanceId: clientInstanceId, fence },
      });
      back.push(socket);
    }
    for (const { returns, account, sibling } of broken) {
      if (returns) continue;
      await heard(account.id, ({ channelId }) => channelId === null, GRACE_MS + 4_000);
      expect(Date.now() - since).toBeGreaterThan(GRACE_MS - 1_500);
      const freed = await sibling.inbox.next(
        "voice_client_takeover",
        ({ ownerClientInstanceId }) => ownerClientInstanceId === null,
      );
      expect(freed).toMatchObject({ serverId: null, channelId: null });
      expect(await sibling.ask(talk())).toMatchObject({ type: "ack" });
    }
    await settled(witness);
    for (const { returns, account, clientInstanceId, sibling, fence } of broken) {
      expect(silences(account.id)).toBe(returns ? 0 : 1);
      if (returns) {
        expect(await sibling.ask(talk())).toMatchObject({
          code: "VOICE_NOT_OWNER",
          ownerClientInstanceId: clientInstanceId,
          fence,
        });
      }
      await sibling.close();
    }
    await Promise.all(back.map((socket) => socket.close()));
  }, 120_000);
});
