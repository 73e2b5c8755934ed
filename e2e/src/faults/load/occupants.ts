import { setTimeout as pause } from "node:timers/promises";
import { Mailbox } from "../../client/mailbox.ts";
import type { Ledger } from "../ledger.ts";
import type { Load } from "./load.ts";
import { openWire } from "./wire.ts";

const PATIENCE_MS = 5_000;

const occupantsOf = async (load: Load, room: string): Promise<readonly string[]> => {
  const inbox = new Mailbox();
  const wire = openWire(load.options.url, "plain", {
    entered: () => wire.say({ type: "identify", token: load.asker(0).token }),
    heard: (message) => inbox.receive(message),
    closed: () => undefined,
  });
  try {
    await inbox.next("identified", undefined, PATIENCE_MS);
    wire.say({ type: "join_server", serverId: room });
    const { users } = await inbox.next("server_joined", undefined, PATIENCE_MS);
    return (users as readonly { readonly oderId: string }[]).map(({ oderId }) => oderId);
  } finally {
    wire.close();
  }
};

const agree = (users: readonly string[], expected: readonly string[]): boolean =>
  users.length === expected.length && expected.every((user) => users.includes(user));

/** Records the users that a newcomer sees in each server, as soon as that is right or at the limit (F1). */
export const noteOccupants = async (ledger: Ledger, load: Load, limitMs: number): Promise<void> => {
  const deadline = performance.now() + limitMs;
  for (const room of load.rooms) {
    const inside = load.participants.filter(({ rooms, present }) => present && rooms.includes(room));
    const expected = [...new Set([load.accounts[0]?.id ?? "", ...inside.map(({ user }) => user)])];
    let users = await occupantsOf(load, room);
    while (!agree(users, expected) && performance.now() < deadline) {
      await pause(500);
      users = await occupantsOf(load, room);
    }
    ledger.note({ kind: "occupants", room, users, expected });
  }
};
