import { afterEach, describe, expect, it } from "@jest/globals";
import type { Credential } from "@hearth/contracts";
import { createServer, type Message, type RawSocket, register } from "../../src/client/index.ts";
import { alive, ask, identified, identify, tell } from "../../src/expectations/raw-device.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { sharedServerForTests } from "../../src/server/shared-server-for-tests.ts";
import { metricsOf } from "../../src/server/metrics.ts";

const server = serverForTests();
const hall = sharedServerForTests(server);
const BIG = "x".repeat(60_000);

const opened: RawSocket[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((socket) => socket.close()));
});

const open = async (account: Credential): Promise<RawSocket> => {
  const socket = await identified(server.url, "plain", account);
  opened.push(socket);
  return socket;
};

const openIn = async (account: Credential, serverId: string): Promise<RawSocket> => {
  const socket = await open(account);
  await ask(socket, { type: "join_server", serverId });
  return socket;
};

const refusals = (socket: RawSocket): Message[] =>
  socket.inbox.all.filter(({ code }) => code === "RATE_LIMITED");

const slowReaders = async (): Promise<number> =>
  (await metricsOf(server)).sum("hearth_presence_closes_total", { code: "4002" });

describe("floods in a server", () => {
  it("AB5 a flood from twenty sockets of five accounts is refused; every reader stays connected and receives a quiet sender", async () => {
    const { id } = await createServer(server.url, hall.ada, { name: "Flooded" });
    const before = await slowReaders();
    const readers = await Promise.all(
      Array.from({ length: 10 }, async () => openIn(await register(server.url), id)),
    );
    const accounts = await Promise.all(Array.from({ length: 5 }, () => register(server.url)));
    const flood = await Promise.all(
      Array.from({ length: 20 }, (_, n) => openIn(accounts[n % 5] ?? hall.ben, id)),
    );
    for (let n = 0; n < 40; n += 1) {
      for (const socket of flood) {
        const message = { id: `${n}`, content: BIG };
        tell(socket, { type: "chat_message", serverId: id, message, requestId: `f${n}` });
      }
    }
    const quiet = await openIn(hall.ada, id);
    const said = { type: "chat_message", serverId: id, message: { id: "quiet", content: "still here" } };
    expect(await ask(quiet, said)).toMatchObject({ type: "ack" });
    await Promise.all(readers.map(alive));
    for (const reader of readers) {
      const heard = reader.inbox.all.filter(({ type }) => type === "chat_message");
      expect(heard.some(({ message }) => (message as { id: string }).id === "quiet")).toBe(true);
      expect(heard.length).toBeLessThan(200);
    }
    for (const socket of flood) {
      const [refused] = refusals(socket);
      expect(refused).toMatchObject({ retryable: true, requestId: expect.stringMatching(/^f\d+$/) });
      expect(refused?.["retryAfterMs"]).toBeGreaterThan(0);
    }
    expect(await slowReaders()).toBe(before);
  }, 30_000);
});

describe("floods to one user", () => {
  it("AB6 strangers together reach a user with twenty messages a minute; a friend gets through and no connection closes", async () => {
    const person = await openIn(hall.ben, hall.room.id);
    const friend = await openIn(hall.ada, hall.room.id);
    const strangers = await Promise.all([1, 2, 3].map(async () => open(await register(server.url))));
    const toUserId = hall.ben.id;
    for (let n = 0; n < 30; n += 1)
      for (const stranger of strangers)
        tell(stranger, { type: "direct_message", toUserId, message: { id: `${n}`, content: BIG } });
    for (let n = 0; n < 200; n += 1)
      for (const stranger of strangers)
        tell(stranger, { type: "ice_candidate", toUserId, candidate: BIG, requestId: `i${n}` });
    await Promise.all(strangers.map(alive));
    const ack = await ask(friend, { type: "direct_message", toUserId, message: { id: "f", content: "hi" } });
    expect(ack).toMatchObject({ type: "ack" });
    await alive(person);
    const senders = person.inbox.all.filter(({ type }) => type === "direct_message");
    const fromStrangers = senders.filter(({ fromUserId }) => fromUserId !== hall.ada.id);
    expect(fromStrangers.length).toBeLessThanOrEqual(21);
    expect(senders.length).toBe(fromStrangers.length + 1);
    expect(person.inbox.count("ice_candidate")).toBeLessThan(10);
    for (const stranger of strangers) expect(refusals(stranger).length).toBeGreaterThan(0);
  }, 30_000);

  it("AB6 one account may send one addressee a burst of forty and set up a call", async () => {
    const person = await openIn(hall.ben, hall.room.id);
    const friend = await openIn(hall.ada, hall.room.id);
    const toUserId = hall.ben.id;
    await ask(friend, { type: "offer", toUserId, sdp: "v=0" });
    for (let n = 0; n < 60; n += 1)
      tell(friend, {
        type: "ice_candidate",
        toUserId,
        candidate: "candidate:1 1 udp 1 192.0.2.1 9 typ host",
      });
    for (let n = 0; n < 60; n += 1)
      tell(friend, { type: "direct_message", toUserId, message: { id: `${n}`, content: "" } });
    await alive(friend);
    await alive(person);
    expect(person.inbox.count("ice_candidate")).toBe(60);
    expect(person.inbox.count("direct_message")).toBeGreaterThanOrEqual(38);
    expect(person.inbox.count("direct_message")).toBeLessThan(55);
  });
});

describe("forged names", () => {
  it("AB8 W28 the server replaces a forged displayName by the account's, in identify and in every message", async () => {
    const listener = await openIn(hall.ben, hall.room.id);
    const mallory = await register(server.url);
    const socket = await open(mallory);
    const again = await identify(socket, { token: mallory.token, displayName: hall.ada.displayName });
    expect(again).toMatchObject({ username: mallory.username, displayName: mallory.displayName });
    const joined = await ask(socket, { type: "join_server", serverId: hall.room.id });
    const own = expect.objectContaining({ username: mallory.username, displayName: mallory.displayName });
    expect(joined["users"]).toContainEqual(own);
    tell(socket, { type: "user_typing", serverId: hall.room.id, fromDisplayName: hall.ada.displayName });
    const names = { fromUsername: mallory.username, fromDisplayName: mallory.displayName };
    expect(await listener.inbox.next("user_typing")).toMatchObject({ fromUserId: mallory.id, ...names });
  });
});
