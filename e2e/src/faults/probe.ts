import type { Credential, Health } from "@hearth/contracts";
import { until } from "@hearth/runtime/testing/until";
import { createServer } from "../client/device.ts";
import { Mailbox } from "../client/mailbox.ts";
import { call, freshName, PASSWORD } from "../client/rest.ts";
import { openWire } from "./load/wire.ts";

const PROBES = 4;
const PATIENCE_MS = 2_500;

interface Probe {
  readonly inbox: Mailbox;
  readonly say: (message: { readonly type: string } & Readonly<Record<string, unknown>>) => void;
  readonly close: () => void;
}

const enter = async (url: string, { token }: Credential, room: string, at: number): Promise<Probe> => {
  const inbox = new Mailbox();
  const wire = openWire(url, at % 2 === 0 ? "plain" : "socketio", {
    entered: () => inbox.receive({ type: "entered" }),
    heard: (message) => inbox.receive(message),
    closed: () => inbox.receive({ type: "closed" }),
  });
  const probe = { inbox, say: wire.say, close: wire.close };
  try {
    await inbox.next("entered", undefined, PATIENCE_MS);
    wire.say({ type: "identify", token });
    wire.say({ type: "join_server", serverId: room });
    await inbox.next("server_joined", undefined, PATIENCE_MS);
    return probe;
  } catch (error) {
    wire.terminate();
    throw error;
  }
};

/** Each of them sends a message that all others receive: every node reaches every other. */
const meet = async (probes: readonly Probe[], room: string): Promise<void> => {
  for (const [at, { say }] of probes.entries())
    say({
      type: "chat_message",
      serverId: room,
      message: { id: `probe ${at}`, content: "" },
      requestId: "r",
    });
  await Promise.all(
    probes.map(async ({ inbox }) => {
      const heard = probes.slice(1).map(() => inbox.next("chat_message", undefined, PATIENCE_MS));
      await Promise.all([...heard, inbox.next("ack", undefined, PATIENCE_MS)]);
    }),
  );
};

/** Does everything that a newcomer does, once. Rejects when any of it fails. */
export const tryEverything = async (url: string, account: Credential): Promise<void> => {
  const health = await call<Health>(url, "GET", "/api/health");
  if (health.body.status !== "ok") throw new Error(`health: ${JSON.stringify(health.body.services)}`);
  const login = await call<Credential>(url, "POST", "/api/users/login", {
    body: { username: account.username, password: PASSWORD },
    headers: {
      "x-forwarded-for": `192.168.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`,
    },
  });
  if (login.status !== 200) throw new Error(`login: ${login.status}`);
  const { id: room } = await createServer(url, login.body, { name: freshName("Probe") });
  const entering = Array.from({ length: PROBES }, (_, at) => enter(url, login.body, room, at));
  const entered = await Promise.allSettled(entering);
  const probes = entered.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  try {
    await Promise.all(entering);
    await meet(probes, room);
  } finally {
    for (const { close } of probes) close();
  }
};

/** Resolves when everything works; the error contains the last failure. */
export const untilEverythingWorks = async (
  url: string,
  account: Credential,
  limitMs: number,
): Promise<void> => {
  let failure: unknown;
  const works = (): Promise<boolean> =>
    tryEverything(url, account).then(
      () => true,
      (error: unknown) => {
        failure = error;
        return false;
      },
    );
  await until(works, limitMs, () => String(failure));
};
