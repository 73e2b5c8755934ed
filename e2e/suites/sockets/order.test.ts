import type { Credential, JoinedServer } from "@hearth/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Dial,
  dialPlain,
  dialSocketIo,
  expectOk,
  type Message,
  openDevice,
  register,
  type Socket,
} from "../../src/client/index.ts";
import { asCluster } from "../../src/server/mode.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const RUNS = Number(process.env["RUNS"] ?? (asCluster ? "800" : "10000"));
/** On a cluster each run queries a database that shares two cores with everything else. */
const AT_ONCE = asCluster ? 60 : 500;
const ACCOUNTS = 100;
const SEED = 20_261_120;

/**
 * Sends `identify` and `join_server` back to back; the token check takes 0 to 500 ms and one in ten fails. The client
 * then reconnects, as ours does.
 */
describe("the order of a connection", () => {
  const env = { SEED: String(SEED), FAILING: "0.1", LOG_LEVEL: "error" };
  const server = serverForTests({ entry: "e2e/entries/slow-auth.ts", env });
  let room: JoinedServer;
  let witness: Socket;
  let accounts: Credential[];

  beforeAll(async () => {
    const owner = await register(server.url);
    room = await expectOk(server.url, "POST", "/api/servers", {
      token: owner.token,
      body: { name: "Order" },
    });
    accounts = [];
    while (accounts.length < ACCOUNTS - 1) accounts.push(await register(server.url));
    witness = await steadily(() => openDevice(dialPlain, server.url, owner));
    witness.send({ type: "join_server", serverId: room.id });
    await witness.inbox.next("server_joined");
  }, 120_000);

  it(`WS4 no join is lost in ${RUNS} runs over both doors, and everybody gets user_joined once each time`, async () => {
    let done = 0;
    const next = async (lane: number): Promise<void> => {
      while (done < RUNS) {
        const run = done;
        done += 1;
        await arrive(run, lane);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => next(lane)));
    expect(witness.inbox.count("auth_error") + witness.inbox.count("auth_required")).toBe(0);
    const balance = new Map<unknown, number>();
    let joined = 0;
    for (const message of witness.inbox.all) {
      const userId = userOf(message);
      if (userId === undefined) continue;
      const present = (balance.get(userId) ?? 0) + (message.type === "user_joined" ? 1 : -1);
      // Two of a kind in a row would mean a duplicate or a loss.
      expect([0, 1]).toContain(present);
      balance.set(userId, present);
      joined += message.type === "user_joined" ? 1 : 0;
    }
    expect(joined).toBeGreaterThan(0);
  }, 240_000);

  const arrive = async (run: number, lane: number): Promise<void> => {
    const dial: Dial = run % 2 === 0 ? dialPlain : dialSocketIo;
    const account = accounts[lane % accounts.length];
    if (!account) throw new Error("no account");
    for (let attempt = 1; ; attempt += 1) {
      const socket = await dial(server.url);
      // A new device name causes a new token check instead of a cached one.
      const device = { name: `${run}.${attempt}` };
      socket.send({ type: "identify", token: account.token, clientInstanceId: crypto.randomUUID(), device });
      socket.send({ type: "join_server", serverId: room.id });
      const answer = await Promise.race([
        socket.inbox.next("server_joined", undefined, 15_000),
        socket.inbox.next("error", undefined, 15_000),
      ]);
      const refused = socket.inbox.count("auth_error") + socket.inbox.count("auth_required");
      if (refused > 0) throw new Error(`run ${run} (seed ${SEED}) was refused as unauthenticated`);
      if (answer.type === "error") expect(answer["retryable"]).toBe(true);
      await socket.close();
      if (answer.type === "server_joined") return;
    }
  };
});

const userOf = (message: Message): unknown => {
  if (message.type === "user_joined") return (message["user"] as { oderId: string }).oderId;
  return message.type === "user_left" ? message["oderId"] : undefined;
};

const steadily = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes("no identified")) throw error;
    }
  }
};
