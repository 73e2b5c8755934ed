import { spawnSync } from "node:child_process";
import type { Credential } from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Answer, call, expectOk, freshName, register } from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { localLogin } from "../../src/local-api/calls.ts";
import { giveTo } from "../../src/local-api/device-data.ts";
import { type RunningLocalApi, startLocalApi } from "../../src/local-api/process.ts";
import { ApiDocument, type RawDocument } from "../../src/openapi/document.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

interface Room {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
}
interface Message {
  readonly id: string;
  readonly roomId: string;
  readonly senderId: string;
  readonly content: string;
  readonly timestamp: number;
  readonly revision: number;
  readonly editedAt: number | null;
  readonly deletedAt: number | null;
  readonly updatedAt: number;
}

const server = serverForTests();
let local: RunningLocalApi;
let account: Credential;
let token: string;
let rooms: readonly Room[];

beforeAll(async () => {
  const username = freshName("owner");
  account = await register(server.url, username);
  local = await startLocalApi({ args: ["--sample", "--allow", server.url] });
  giveTo(local.dataDir, { serverUrl: server.url, userId: account.id });
  ({ token } = await localLogin(local.url, server.url, username));
  rooms = await read<readonly Room[]>("/api/rooms");
}, 90_000);
afterAll(async () => {
  await local.stop();
  await local.cleanUp();
});

const get = (path: string) => call(local.url, "GET", path, { token });
const read = <Body>(path: string): Promise<Body> => expectOk(local.url, "GET", path, { token });

const roomNamed = (name: string): Room => {
  const room = rooms.find((candidate) => candidate.name === name);
  if (!room) throw new Error(`the sample has no room ${name}`);
  return room;
};

/** Follows `Link: rel="next"` to the end. */
const allMessages = async (roomId: string, limit: number): Promise<readonly Message[]> => {
  const messages: Message[] = [];
  let path: string | undefined = `/api/rooms/${roomId}/messages?limit=${limit}`;
  while (path !== undefined) {
    const answer: Answer<readonly Message[]> = await call(local.url, "GET", path, { token });
    expect(answer.status).toBe(200);
    messages.push(...answer.body);
    const [, next] = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get("link") ?? "") ?? [];
    path = next;
  }
  return messages;
};

const withCurl = spawnSync("curl", ["--version"]).status === 0 ? it : it.skip;

describe("the sample device", () => {
  withCurl("LA1 the printed curl line works as it stands (needs curl)", () => {
    const [line = ""] = /curl .+/.exec(local.output()) ?? [];
    const { status, stdout } = spawnSync("sh", ["-c", line.replace("curl ", "curl -sS ")], {
      encoding: "utf8",
    });
    expect(status).toBe(0);
    const messages = JSON.parse(stdout) as readonly Message[];
    expect(messages).toHaveLength(3);
    expect(messages.every(({ content }) => content !== "")).toBe(true);
  });

  it("LA1 is written to an empty folder only, and read from there again", async () => {
    const before = await read<readonly Room[]>("/api/rooms");
    const again = await startLocalApi({ args: ["--sample"], dataDir: local.dataDir });
    const [, header = ""] = /curl -H "Authorization: Bearer (\w+)"/.exec(again.output()) ?? [];
    const seen = await expectOk(again.url, "GET", "/api/rooms", { token: header });
    await again.stop();
    expect(seen).toEqual(before);
  }, 60_000);

  it("LA1 holds a year of conversations in several servers of two instances", async () => {
    const kinds = rooms.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "server")).toHaveLength(4);
    expect(kinds.filter((kind) => kind === "direct")).toHaveLength(4);
    const messages = (await Promise.all(rooms.map(({ id }) => allMessages(id, 500)))).flat();
    expect(messages.length).toBeGreaterThan(3_000);
    const times = messages.map(({ timestamp }) => timestamp).sort((a, b) => a - b);
    expect(Number(times.at(-1)) - Number(times[0])).toBeGreaterThan(350 * 86_400_000);
    expect(messages.filter(({ editedAt }) => editedAt !== null).length).toBeGreaterThan(3);
    expect(messages.filter(({ deletedAt }) => deletedAt !== null)).not.toHaveLength(0);
    expect(await read<readonly unknown[]>("/api/attachments")).not.toHaveLength(0);
  }, 60_000);
});

describe("every route, after a login at the signaling server", () => {
  it("LA2 pages of any size follow (timestamp, id) order and state the total", async () => {
    const { id } = roomNamed("Tuesday Climbers");
    const [small, large] = [await allMessages(id, 97), await allMessages(id, 500)];
    expect(small).toEqual(large);
    const inOrder = small.toSorted(
      (one, other) => one.timestamp - other.timestamp || (one.id < other.id ? -1 : 1),
    );
    expect(small).toEqual(inOrder);
    const page = await get(`/api/rooms/${id}/messages?limit=5&offset=${small.length - 2}`);
    expect(page.headers.get("x-total-count")).toBe(String(small.length));
    expect(page.headers.get("link") ?? "").not.toContain('rel="next"');
    expect(page.body).toEqual(small.slice(-2));
  }, 60_000);

  it("LA2 since returns messages created, edited or removed after the time", async () => {
    const { id } = roomNamed("The Long Table");
    const all = await allMessages(id, 500);
    const removed = all.filter(({ deletedAt }) => deletedAt !== null);
    expect(removed.every(({ content }) => content === "")).toBe(true);
    const changed = await read<readonly Message[]>(`/api/rooms/${id}/messages/since?sinceTimestamp=0`);
    expect(changed.length).toBeGreaterThan(0);
    const newest = Math.max(...all.map(({ updatedAt }) => updatedAt));
    const after = `/api/rooms/${id}/messages/since?sinceTimestamp=`;
    expect(await read(`${after}${newest}`)).toEqual([]);
    const latest = await read<readonly Message[]>(`${after}${newest - 1}`);
    expect(latest.map(({ id: changedId }) => changedId).sort()).toEqual(
      all
        .filter(({ updatedAt }) => updatedAt === newest)
        .map(({ id: changedId }) => changedId)
        .sort(),
    );
  }, 60_000);

  it("LA1 records of all routes are consistent with each other", async () => {
    const { id } = roomNamed("The Long Table");
    const [room, users, bans] = [
      await read<Room>(`/api/rooms/${id}`),
      await read<readonly { readonly id: string }[]>(`/api/rooms/${id}/users`),
      await read<readonly { readonly userId: string }[]>(`/api/rooms/${id}/bans`),
    ];
    expect(room).toEqual(roomNamed("The Long Table"));
    const [user] = users;
    expect(await read(`/api/users/${user?.id}`)).toMatchObject({ id: user?.id });
    expect(bans).toHaveLength(1);
    const banned = `/api/rooms/${id}/bans/${bans[0]?.userId}`;
    expect(await read(banned)).toEqual({ isBanned: true });
    expect(await read(`/api/rooms/${id}/bans/${user?.id}`)).toEqual({ isBanned: false });
    const files = await read<readonly { readonly messageId: string }[]>("/api/attachments");
    const { messageId = "" } = files[0] ?? {};
    const attached = await read<readonly unknown[]>(`/api/messages/${messageId}/attachments`);
    expect(files).toEqual(expect.arrayContaining([...attached]));
    expect(JSON.stringify(files)).not.toContain(local.dataDir);
    expect(await read(`/api/messages/${messageId}`)).toMatchObject({ id: messageId });
  });

  it("LA1 profile, meta and plugin data come from the device", async () => {
    const profile = await read<{ readonly id: string }>("/api/profile");
    expect(await read("/api/meta/app_currentUserId")).toEqual({
      key: "app_currentUserId",
      value: profile.id,
    });
    expect(await read("/api/plugin-data?pluginId=reminders&key=snooze-minutes&scope=local")).toEqual({
      value: 20,
    });
    const league = `pluginId=scores&key=league&scope=server`;
    const { id } = roomNamed("The Long Table");
    expect(await read(`/api/plugin-data?${league}&serverId=${id}`)).toMatchObject({ value: { Ines: 41 } });
    expectProblem(await get(`/api/plugin-data?${league}`), "INVALID_REQUEST");
  });

  it.each([
    "/api/profile",
    "/api/rooms",
    "/api/rooms/x",
    "/api/rooms/x/users",
    "/api/rooms/x/messages",
    "/api/rooms/x/messages/since?sinceTimestamp=0",
    "/api/rooms/x/bans",
    "/api/rooms/x/bans/y",
    "/api/messages/x",
    "/api/messages/x/reactions",
    "/api/messages/x/attachments",
    "/api/users/x",
    "/api/attachments",
    "/api/plugin-data?pluginId=x&key=y&scope=local",
    "/api/meta/x",
  ])("LA1 GET %s is for holders of a token", async (path) => {
    expectProblem(await call(local.url, "GET", path), "AUTH_REQUIRED");
    expectProblem(await call(local.url, "GET", path, { token: "0".repeat(64) }), "AUTH_INVALID");
    expectProblem(await call(local.url, "POST", path, { token, body: {} }), "METHOD_NOT_ALLOWED");
  });

  it("LA1 responses match the served OpenAPI document", async () => {
    const document = new ApiDocument(await expectOk<RawDocument>(local.url, "GET", "/api/openapi.json"));
    const { id: roomId } = roomNamed("Lindenhof");
    const [message] = await read<readonly Message[]>(`/api/rooms/${roomId}/messages?limit=1`);
    const values = { roomId, messageId: message?.id, userId: message?.senderId, key: "app_currentUserId" };
    const queries: Readonly<Record<string, string>> = {
      "/api/rooms/{roomId}/messages/since": "?sinceTimestamp=0",
      "/api/plugin-data": "?pluginId=reminders&key=snooze-minutes&scope=local",
    };
    for (const operation of document.operations.filter(({ method }) => method === "get")) {
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: keyof typeof values) =>
        String(values[name]),
      );
      const answer = await get(`${path}${queries[operation.path] ?? ""}`);
      const expected = document.expected(operation, answer.status);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      expect(expected?.check(answer.body)).toEqual([]);
    }
  }, 60_000);
});
