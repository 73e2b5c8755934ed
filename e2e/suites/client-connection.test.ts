import type { Credential, JoinedServer, SessionInfo } from "@hearth/contracts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { createServer, expectOk, login, register } from "../src/client/index.ts";
import { connectDevice, type ConnectedDevice } from "../src/client-connection/client.ts";
import { freePort } from "../entries/servers.ts";
import { type RunningServer, startServer } from "../src/server/process.ts";

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
    ada = await register(server.url, "ada");
    room = await createServer(server.url, ada, { name: "Reading" });
  }, 120_000);

  afterEach(() => {
    for (const { connection } of devices.splice(0)) connection.close();
  });

  afterAll(async () => {
    await server.stop();
    await server.cleanUp();
  });

  it("WS3 identifies, knows the server's clock, and enters a room", async () => {
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

  it("WS9 a message is acknowledged to its sender and heard by the others in the room", async () => {
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
      sentAt: expect.any(Number),
    });
    const refused = reader.connection.request({ ...message, serverId: crypto.randomUUID() });
    await expect(refused).rejects.toMatchObject({ code: "NOT_JOINED", retryable: false });
  });

  it("WS12 four hundred messages at once arrive in order, and the server refuses none", async () => {
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

  it("AU6 a session that is revoked elsewhere ends the connection for good, and tells the token's owner", async () => {
    const { token } = await login(server.url, "ada");
    const lost = await online({ ...ada, token });
    const sessions = await expectOk<SessionInfo[]>(server.url, "GET", "/api/users/sessions", { token });
    const current = sessions.find((session) => session.current);
    await expectOk(server.url, "DELETE", `/api/users/sessions/${current?.id ?? ""}`, { token: ada.token });
    await lost.reaches("ended");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect([lost.failures, lost.dialled()]).toEqual([[[token, "revoked"]], 1]);
  });

  it("WS5 a token that nobody knows is refused once", async () => {
    const stranger = await device({ ...ada, token: "0".repeat(64) });
    await stranger.reaches("ended");
    expect([stranger.failures, stranger.dialled()]).toEqual([[["0".repeat(64), "unknown"]], 1]);
  });

  it("WS6 the same tab dialling twice leaves one, and the other does not dial again", async () => {
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

  it("CL6 dials at once when the network is back", async () => {
    const { port } = new URL(server.url);
    const { dataDir } = server;
    const connected = await online();
    await server.stop("SIGKILL");
    await connected.reaches("waiting");
    // Some tries in vain, so that the next one is far away.
    const deadline = Date.now() + 40_000;
    while ((connected.connection.state.getState().retryAt ?? 0) - Date.now() < 3_000 && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    server = await startServer({ dataDir, env: { PORT: port } });
    connected.attend({ isOnline: false });
    connected.attend({ isOnline: true });
    await connected.reaches("online", 2_000);
  }, 60_000);
});
