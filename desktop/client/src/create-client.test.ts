import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Client } from "./client.ts";
import { createClient } from "./create-client.ts";
import { aMessage, aRoom } from "@hearth/store/testing";
import { serveSockets } from "./connection/testing/scripted-server.ts";
import { fakeFactory } from "@hearth/store/testing";
import { createFakeAuthServers } from "./testing/fake-auth-server.ts";
import { settled } from "./testing/fake-clock.ts";
import { createFakePlatform } from "./testing/fake-platform.ts";
import type { FakePlatform } from "./testing/fake-platform.ts";

const HOME = "http://home.example";
const signIn = { mode: "register", serverUrl: HOME, username: "anna", password: "correct horse" } as const;

let clients: Client[] = [];

async function open(platform: FakePlatform): Promise<Client> {
  const opening = createClient(platform);
  await settled(20);
  await platform.clock.advance(200);
  const client = await opening;
  clients.push(client);
  await client.start();
  return client;
}

async function during<Result>(platform: FakePlatform, work: Promise<Result>): Promise<Result> {
  for (let turn = 0; turn < 10; turn += 1) await platform.clock.advance(100);
  return work;
}

beforeEach(() => {
  clients = [];
  Object.assign(globalThis, { indexedDB: fakeFactory() });
});

afterEach(() => clients.forEach((client) => client.stop()));

describe("the client", () => {
  it("CL1 does not dial while signed out", async () => {
    const platform = createFakePlatform();
    const client = await open(platform);
    expect(client.accounts.state.getState().phase).toBe("signed-out");
    await platform.clock.advance(60_000);
    expect([platform.sockets, platform.network.requests]).toEqual([[], []]);
  });

  it("CL1 connects with home's token, and again after a reload without asking", async () => {
    const platform = createFakePlatform();
    createFakeAuthServers(platform.network, () => platform.now());
    const client = await open(platform);
    await during(platform, client.accounts.authenticateUser(signIn));
    const [socket] = platform.sockets;
    expect(socket?.url).toBe("ws://home.example/ws");
    socket?.open();
    expect(socket?.sent).toMatchObject([
      { type: "identify", token: client.accounts.token(HOME), clientInstanceId: client.instance.id },
    ]);
    client.stop();
    const again = await open(platform.reload());
    expect(again.accounts.state.getState().phase).toBe("signed-in");
    expect(again.instance.id).toBe(client.instance.id);
    expect(await again.store.meta("app_currentUserId")).toBe(client.accounts.actorId(HOME));
  });

  it("takes its name from the server, whichever device changed it, and never sends one", async () => {
    const platform = createFakePlatform();
    createFakeAuthServers(platform.network, () => platform.now());
    const client = await open(platform);
    const name = (): string | undefined =>
      client.accounts.state.getState().instances[0]?.account?.displayName;
    serveSockets(platform);
    await during(platform, client.accounts.authenticateUser(signIn));
    expect(name()).toBe("Ada");
    const [socket] = platform.sockets;
    expect(socket?.sent[0]).not.toHaveProperty("displayName");
    const oderId = client.accounts.actorId(HOME);
    socket?.receive({ type: "user_updated", oderId, displayName: "Anna B." });
    socket?.receive({ type: "user_updated", oderId: "somebody-else", displayName: "Ben" });
    await settled(20);
    expect(name()).toBe("Anna B.");
    expect(await client.store.profile()).toMatchObject({ displayName: "Anna B." });
  });

  it("requests persistent storage once, only when signed in, whatever the answer", async () => {
    const platform = createFakePlatform();
    createFakeAuthServers(platform.network, () => platform.now());
    const client = await open(platform);
    expect(platform.keptStorage).toBe(0);
    await during(platform, client.accounts.authenticateUser(signIn));
    expect([platform.keptStorage, client.storage.getState()]).toEqual([1, { trouble: null, dropped: null }]);
    await during(platform, client.accounts.signOut());
    await during(platform, client.accounts.authenticateUser({ ...signIn, mode: "login" }));
    expect(platform.keptStorage).toBe(1);
  });

  it("CL3 ends the session and the connection when home refuses the token", async () => {
    const platform = createFakePlatform();
    createFakeAuthServers(platform.network, () => platform.now());
    const client = await open(platform);
    await during(platform, client.accounts.authenticateUser(signIn));
    const [socket] = platform.sockets;
    socket?.open();
    socket?.receive({ type: "auth_error", code: "AUTH_INVALID", message: "No", reason: "revoked" });
    await platform.clock.advance(1_000);
    expect(client.accounts.state.getState()).toMatchObject({
      phase: "signed-out",
      ended: { reason: "revoked" },
    });
    expect([...client.connections.states.getState().keys()]).toEqual([]);
    await platform.clock.advance(120_000);
    expect(platform.sockets).toHaveLength(1);
  });

  it("AB6 removes messages for a smaller limit only after ten seconds", async () => {
    const platform = createFakePlatform();
    const { store, preferences } = await open(platform);
    await during(platform, store.saveRooms([aRoom()]));
    const messages = Array.from({ length: 300 }, (_, n) => aMessage(`m${n}`, { timestamp: n + 1 }));
    await during(platform, store.saveMessages(messages));
    const kept = async () => (await during(platform, store.usage())).messages;
    preferences.change({ keepAtMost: 1 });
    await platform.clock.advance(5_000);
    preferences.change({ keepAtMost: null });
    await platform.clock.advance(60_000);
    expect(await kept()).toBe(300);
    preferences.change({ keepAtMost: 1 });
    await platform.clock.advance(11_000);
    expect(await kept()).toBe(200);
  });
});
