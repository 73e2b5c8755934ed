import type { Credential, JoinedServer, SessionInfo } from "@hearth/contracts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { freePort } from "@hearth/runtime/testing/servers";
import { createServer, expectOk, freshName, login, register } from "../../src/client/index.ts";
import { connectDevice, type ConnectedDevice } from "../../src/product-client/client.ts";
import { type MemberDevice, openMember } from "../../src/product-client/member.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { type RunningServer, startServer } from "../../src/server/process.ts";

describe("the client's connection and the real server", () => {
  let server: RunningServer;
  let ada: Credential;
  let room: JoinedServer;
  const devices: ConnectedDevice[] = [];
  const device = async (credential = ada, clientInstanceId?: string): Promise<ConnectedDevice> => {
    const connected = await connectDevice(server.url, credential, clientInstanceId);
    devices.push(connected);
    return connected;
  };
  const online = async (credential = ada): Promise<ConnectedDevice> => {
    const connected = await device(credential);
    await connected.reaches("online");
    return connected;
  };

  beforeAll(async () => {
    server = await startServer({ env: { PORT: String(await freePort()) } });
    ada = await register(server.url, freshName("ada"), "ada");
    room = await createServer(server.url, ada, { name: "Reading" });
  }, 120_000);

  afterEach(() => {
    for (const { connection } of devices.splice(0)) connection.close();
  });

  afterAll(async () => {
    await server.stop();
    await server.cleanUp();
  });

  it("WS3 identifies, learns the server's clock and joins a server", async () => {
    const { connection, statuses, reaches } = await device();
    await reaches("online");
    expect(statuses).toEqual(["connecting", "online"]);
    expect(Math.abs(connection.now() - Date.now())).toBeLessThan(1_000);
    const joined = await connection.request({ type: "join_server", serverId: room.id });
    expect(joined).toMatchObject({
      type: "server_joined",
      serverId: room.id,
      users: [{ oderId: ada.id, displayName: "ada", status: "online" }],
    });
  });

  it("WS9 the sender gets an acknowledgement, and the other members get the message", async () => {
    const [sender, reader] = [await online(), await online(await register(server.url))];
    for (const { connection } of [sender, reader])
      await connection.request({ type: "join_server", serverId: room.id });
    const message = { type: "chat_message", serverId: room.id, message: { id: "m1", content: "hello" } };
    const ack = await sender.connection.request(message);
    expect(ack).toMatchObject({ type: "ack", inReplyTo: "chat_message" });
    await reader.connection.request({ type: "ping" });
    expect(reader.heard).toContainEqual({
      ...message,
      fromUserId: ada.id,
      fromDisplayName: "ada",
      fromUsername: ada.username,
      sentAt: expect.any(Number),
    });
    const refused = reader.connection.request({ ...message, serverId: crypto.randomUUID() });
    await expect(refused).rejects.toMatchObject({ code: "NOT_JOINED", retryable: false });
  });

  it("WS12 four hundred messages sent at once arrive in order, and the server refuses none", async () => {
    const [sender, reader] = [await online(), await online(await register(server.url))];
    for (const { connection } of [sender, reader])
      await connection.request({ type: "join_server", serverId: room.id });
    const all = Array.from({ length: 400 }, (_, index) =>
      sender.connection.request({
        type: "chat_message",
        serverId: room.id,
        message: { id: `burst-${index}`, content: "x" },
      }),
    );
    const refusals: unknown[] = [];
    sender.connection.on((message) => message.type === "error" && refusals.push(message));
    expect((await Promise.all(all)).every(({ type }) => type === "ack")).toBe(true);
    await reader.connection.request({ type: "ping" });
    const ids = reader.heard
      .filter(({ type }) => type === "chat_message")
      .map((heard) => (heard as unknown as { message: { id: string } }).message.id);
    expect(ids).toEqual(all.map((_, index) => `burst-${index}`));
    expect(refusals).toEqual([]);
    expect(await (await fetch(server.metricsUrl)).text()).not.toMatch(
      /refusals_total\{code="RATE_LIMITED"\}/,
    );
  }, 30_000);

  it("AU6 a session revoked elsewhere ends the connection for good and reports it to the token's owner", async () => {
    const { token } = await login(server.url, ada.username);
    const lost = await online({ ...ada, token });
    const sessions = await expectOk<SessionInfo[]>(server.url, "GET", "/api/users/sessions", { token });
    const current = sessions.find((session) => session.current);
    await expectOk(server.url, "DELETE", `/api/users/sessions/${current?.id ?? ""}`, { token: ada.token });
    await lost.reaches("ended");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect([lost.failures, lost.dialled()]).toEqual([[[token, "revoked"]], 1]);
  });

  it("WS5 an unknown token is refused once", async () => {
    const stranger = await device({ ...ada, token: "0".repeat(64) });
    await stranger.reaches("ended");
    expect([stranger.failures, stranger.dialled()]).toEqual([[["0".repeat(64), "unknown"]], 1]);
  });

  it("WS6 a tab that connects twice keeps one connection, and the other does not reconnect", async () => {
    const instance = crypto.randomUUID();
    const first = await device(ada, instance);
    await first.reaches("online");
    const second = await device(ada, instance);
    await second.reaches("online");
    expect(await first.reaches("ended")).toMatchObject({ reason: "superseded" });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect([first.dialled(), second.connection.state.getState().status, first.failures]).toEqual([
      1,
      "online",
      [],
    ]);
  });

  it.each(["SIGKILL", "SIGTERM"] as const)(
    "CL6 comes back by itself to a server that ended with %s and started again",
    async (signal) => {
      const { port } = new URL(server.url);
      const { dataDir } = server;
      const connected = await online();
      const unanswered = connected.connection.request({ type: "ping" }).catch((error: unknown) => error);
      await server.stop(signal);
      await connected.reaches("waiting");
      await unanswered;
      const offline = connected.connection.request({ type: "ping" });
      await expect(offline).rejects.toMatchObject({ code: "OFFLINE", retryable: true });
      server = await startServer({ dataDir, env: { PORT: port } });
      await connected.reaches("online", 30_000);
      const joined = await connected.connection.request({ type: "join_server", serverId: room.id });
      expect(joined).toMatchObject({ type: "server_joined" });
      expect(connected.failures).toEqual([]);
    },
    60_000,
  );

  it("CL6 reconnects at once when the network is back", async () => {
    const { port } = new URL(server.url);
    const { dataDir } = server;
    const connected = await online();
    await server.stop("SIGKILL");
    await connected.reaches("waiting");
    // After some failed attempts the next one is far away.
    await until(() => (connected.connection.state.getState().retryAt ?? 0) - Date.now() >= 3_000, 40_000);
    server = await startServer({ dataDir, env: { PORT: port } });
    connected.attend({ isOnline: false });
    connected.attend({ isOnline: true });
    await connected.reaches("online", 2_000);
  }, 60_000);
});

describe("the client's servers and the real server", () => {
  const server = serverForTests();
  const opened: MemberDevice[] = [];
  const member = async (credential: Credential): Promise<MemberDevice> => {
    const device = await openMember(server.url, credential);
    opened.push(device);
    return device;
  };
  const isJoined = (place: { readonly joinState: string } | undefined): boolean =>
    place?.joinState === "joined";
  const meet = async () => {
    const [ada, grace] = [await register(server.url), await register(server.url)];
    const [owner, guest] = [await member(ada), await member(grace)];
    const room = await owner.servers.create(server.url, { name: "Reading", tags: ["books"] });
    await guest.servers.join(server.url, room.id);
    await Promise.all([owner.sees(room.id, isJoined), guest.sees(room.id, isJoined)]);
    return { ada, grace, owner, guest, room };
  };

  afterEach(async () => {
    for (const device of opened.splice(0)) await device[Symbol.asyncDispose]();
  });

  it("WS8 members of a server see each other join, change status and leave", async () => {
    const { grace, owner, guest, room } = await meet();
    await owner.sees(room.id, (place) => place?.present.has(grace.id) === true);
    guest.servers.setStatus("busy");
    await owner.sees(room.id, (place) => place?.present.get(grace.id)?.status === "busy");
    guest.goOffline();
    await owner.sees(room.id, (place) => place?.present.has(grace.id) === false);
    guest.goOnline();
    await owner.sees(room.id, (place) => place?.present.get(grace.id)?.status === "busy");
    expect([owner.told.map(({ type }) => type), guest.told.map(({ type }) => type)]).toEqual([
      ["saved-room-sync"],
      ["saved-room-sync"],
    ]);
  });

  it("DI8 a change of the server or of a role reaches the other member and keeps the server muted", async () => {
    const { ada, grace, owner, guest, room } = await meet();
    await guest.servers.mute(room.id, true);
    await owner.servers.update(room.id, {
      name: "Readers",
      channels: [{ name: "novels" }, { name: "aloud", kind: "voice" }],
    });
    await guest.sees(
      room.id,
      (place) => place?.room.name === "Readers" && place.room.channels[1]?.name === "aloud",
    );
    const path = `/api/servers/${room.id}/members/${grace.id}`;
    await expectOk(server.url, "PUT", path, { token: ada.token, body: { role: "moderator" } });
    await guest.sees(room.id, (place) => place?.room.role === "moderator");
    expect(guest.place(room.id)?.room.muted).toBe(true);
    await expect(guest.servers.update(room.id, { name: "Mine now" })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  });

  it("DI7 a removed member loses the server at once, or on return when removed while away", async () => {
    const { ada, grace, guest, room } = await meet();
    const removal = `/api/servers/${room.id}/members/${grace.id}`;
    await expectOk(server.url, "DELETE", removal, { token: ada.token });
    await guest.sees(room.id, (place) => place === undefined);
    await until(async () => guest.lost.length === 1, 5_000);
    expect(guest.lost).toEqual([[room.id, "removed"]]);
    await guest.servers.join(server.url, room.id);
    await guest.sees(room.id, isJoined);
    guest.goOffline();
    await expectOk(server.url, "PUT", `/api/servers/${room.id}/bans/${grace.id}`, {
      token: ada.token,
      body: {},
    });
    expect(guest.place(room.id)?.joinState).toBe("offline");
    guest.goOnline();
    await guest.sees(room.id, (place) => place === undefined);
    await until(async () => guest.lost.length === 2, 5_000);
    await expect(guest.servers.join(server.url, room.id)).rejects.toMatchObject({ code: "BANNED" });
  });

  it("leaving, rejoining and leaving again causes no notice to oneself", async () => {
    const { guest, room } = await meet();
    for (let round = 0; round < 3; round += 1) {
      await guest.servers.leave(room.id);
      expect(guest.place(room.id)).toBeUndefined();
      await guest.servers.join(server.url, room.id);
      await guest.sees(room.id, isJoined);
    }
    expect(guest.lost).toEqual([]);
  });

  it("DI4 an approved request adds the server at once", async () => {
    const { ada, grace, owner, guest } = await meet();
    const secret = await owner.servers.create(server.url, { name: "Secret", visibility: "private" });
    await expect(guest.servers.join(server.url, secret.id)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    const path = `/api/servers/${secret.id}/requests`;
    const request = await expectOk<{ id: string }>(server.url, "POST", path, {
      token: grace.token,
      body: {},
    });
    const decision = { token: ada.token, body: { status: "approved" } };
    await expectOk(server.url, "PUT", `/api/requests/${request.id}`, decision);
    await guest.sees(secret.id, isJoined);
  });
});
