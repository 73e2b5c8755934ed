import type { Credential, JoinedServer } from "@hearth/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { setTimeout as pause } from "node:timers/promises";
import {
  call,
  createServer,
  type Device,
  dialPlain,
  expectOk,
  join,
  type Message,
  openDevice,
  register,
  type Socket,
  settled,
} from "../../src/client/index.ts";
import { dialFor, MINUTES, repeatedly, SEED } from "../../src/expectations/races.ts";
import { seeded } from "../../src/seeded.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const server = serverForTests({ env: { LOG_LEVEL: "error", TRUST_PROXY: "1" } });
let owner: Credential;
let accounts: Credential[];
let room: JoinedServer;

beforeAll(async () => {
  owner = await register(server.url, "owner");
  room = await createServer(server.url, owner, { name: "The track" });
  accounts = await Promise.all(Array.from({ length: 20 }, () => register(server.url)));
}, MINUTES);

const accountFor = (run: number): Credential => accounts[run % accounts.length] ?? owner;

const identify = ({ token }: Credential, clientInstanceId: string): Message => ({
  type: "identify",
  token,
  clientInstanceId,
  connectionScope: "ws://hearth.test",
});

describe("a device connected more than once", () => {
  it(
    "WS6 X2 exactly one of two connections that identify as one device at once survives, 1,000 times",
    async () => {
      await repeatedly(1_000, 20, async (run) => {
        const clientInstanceId = crypto.randomUUID();
        const sockets = await Promise.all([dialFor(run)(server.url), dialFor(run + (run % 3))(server.url)]);
        for (const socket of sockets) socket.send(identify(accountFor(run), clientInstanceId));
        const ended = await Promise.race(sockets.map((socket, index) => socket.closed.then(() => index)));
        const [survivor, loser] = ended === 0 ? [sockets[1], sockets[0]] : [sockets[0], sockets[1]];
        expect(loser.inbox.count("closing", ({ closeCode }) => closeCode === 4503)).toBe(1);
        expect(await survivor.ask({ type: "ping" })).toMatchObject({ type: "pong" });
        expect(survivor.inbox.count("identified")).toBe(1);
        expect(survivor.inbox.count("superseded")).toBe(0);
        await survivor.close();
      });
    },
    5 * MINUTES,
  );

  it(
    "WS6 X3 the last of ten reconnects in a row stays connected and joined, 100 times",
    async () => {
      await repeatedly(100, 10, async (run) => {
        // One at a time per account, because the server's view of an account is checked.
        const account = accountFor(run);
        const clientInstanceId = crypto.randomUUID();
        const sockets: Socket[] = [];
        for (let dialled = 0; dialled < 10; dialled += 1) {
          const socket = await dialFor(run + dialled)(server.url);
          socket.send(identify(account, clientInstanceId));
          socket.send({ type: "join_server", serverId: room.id });
          sockets.push(socket);
        }
        const last = sockets.pop();
        if (!last) throw new Error("ten were dialled");
        await last.inbox.next("server_joined");
        await Promise.all(sockets.map((socket) => socket.closed));
        const chat = { type: "chat_message", serverId: room.id, message: { id: "x", content: "still in" } };
        expect(await last.ask(chat)).toMatchObject({ type: "ack" });
        await last.close();
      });
    },
    5 * MINUTES,
  );
});

describe("the order of one connection", () => {
  it(
    "WS8 X13 after joins and leaves in any order the last one holds, 200 times, and the others see it",
    async () => {
      const witness = await openDevice(dialPlain, server.url, owner);
      await join(witness, room.id);
      const random = seeded(SEED);
      const racers = await Promise.all(Array.from({ length: 10 }, () => register(server.url)));
      await repeatedly(200, racers.length, async (run) => {
        const racer = racers[run % racers.length] ?? owner;
        const device = await openDevice(dialFor(run), server.url, racer);
        let inside = false;
        for (let sent = 0; sent < 40; sent += 1) {
          inside = random() < 0.5;
          device.send({ type: inside ? "join_server" : "leave_server", serverId: room.id });
        }
        await settled(device);
        const chat = { type: "chat_message", serverId: room.id, message: { id: "x", content: "in?" } };
        expect((await device.ask(chat)).type).toBe(inside ? "ack" : "error");
        await device.close();
      });
      await pause(200);
      await settled(witness);
      for (const { id } of racers) {
        const turns = witness.inbox.all.flatMap(({ type, user, oderId }) => {
          const who = type === "user_joined" ? (user as { oderId: string }).oderId : oderId;
          return (type === "user_joined" || type === "user_left") && who === id ? [type] : [];
        });
        expect(turns.length % 2).toBe(0);
        expect(turns).toEqual(turns.map((_, index) => (index % 2 === 0 ? "user_joined" : "user_left")));
      }
      await witness.close();
    },
    5 * MINUTES,
  );
});

describe("a session that ends while in use", () => {
  it(
    "AU6 X5 a logout at any moment of identify and join leaves nobody joined, 400 times",
    async () => {
      const random = seeded(SEED + 1);
      const witness = await openDevice(dialPlain, server.url, owner);
      await join(witness, room.id);
      await repeatedly(400, 4, async (run) => {
        const headers = { "x-forwarded-for": `198.51.${run >> 8}.${run & 255}` };
        const body = { username: accountFor(run).username, password: "correct horse battery" };
        const session = await expectOk<Credential>(server.url, "POST", "/api/users/login", { body, headers });
        const socket = await dialFor(run)(server.url);
        const delays = [random() * 6, random() * 6];
        const logout = pause(delays[0] ?? 0).then(() =>
          call(server.url, "POST", "/api/users/logout", { token: session.token }),
        );
        await pause(delays[1] ?? 0);
        socket.send(identify(session, crypto.randomUUID()));
        socket.send({ type: "join_server", serverId: room.id });
        expect((await logout).status).toBe(204);
        const since = Date.now();
        const ended = await Promise.race([
          socket.closed,
          socket.inbox.next("auth_error", undefined, 1_000),
          socket.inbox.next("auth_required", undefined, 1_000),
        ]);
        expect(ended).toBeDefined();
        expect(Date.now() - since).toBeLessThan(1_000);
        const chat = {
          type: "chat_message",
          serverId: room.id,
          message: { id: `ended-${run}`, content: "?" },
        };
        socket.send(chat);
        await socket.close();
      });
      await settled(witness);
      const said = witness.inbox.all.filter(({ type }) => type === "chat_message");
      expect(said.filter(({ message }) => (message as { id: string }).id.startsWith("ended-"))).toEqual([]);
      await witness.close();
    },
    10 * MINUTES,
  );
});

describe("voice of one user on three devices", () => {
  it(
    "VO2 X8 takeovers, talk and crashes: one owner at a time, and fences only grow, 500 times",
    async () => {
      const random = seeded(SEED + 2);
      const account = await register(server.url);
      const ids = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
      const witness = await openDevice(dialPlain, server.url, account);
      const devices: Device[] = [];
      const dial = async (index: number): Promise<void> => {
        const clientInstanceId = ids[index] ?? crypto.randomUUID();
        const device = await openDevice(dialFor(index), server.url, account, { clientInstanceId });
        await join(device, room.id);
        devices[index] = device;
      };
      for (const index of ids.keys()) await dial(index);
      const channelId = room.channels.find(({ kind }) => kind === "voice")?.id;
      for (let run = 0; run < 500; run += 1) {
        const acts = ids.map(async (_, index) => {
          const device = devices[index];
          const chance = random();
          if (!device || chance < 0.1) return;
          if (chance < 0.15) {
            await device.close();
            await dial(index);
          } else if (chance < 0.6)
            await device.ask({ type: "voice_client_takeover", serverId: room.id, channelId });
          else await device.ask({ type: "voice_state", serverId: room.id, channelId });
        });
        await Promise.all(acts);
        if (run % 20 === 19) await pause(400);
      }
      await settled(witness);
      const news = witness.inbox.all.filter(({ type }) => type === "voice_client_takeover");
      const fences = news.map(({ fence }) => Number(fence));
      expect(fences).toEqual(fences.toSorted((one, other) => one - other));
      const owner = news.at(-1)?.["ownerClientInstanceId"];
      for (const [index, device] of devices.entries()) {
        const answer = await device.ask({ type: "voice_state", serverId: room.id, channelId });
        expect(answer.type).toBe(ids[index] === owner ? "ack" : "error");
        await device.close();
      }
      await witness.close();
    },
    5 * MINUTES,
  );
});
