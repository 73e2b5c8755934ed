import { until } from "@hearth/runtime/testing/until";
import { setTimeout as pause } from "node:timers/promises";
import type { Cluster } from "../server/cluster.ts";
import type { Load } from "./load/load.ts";

type Server = Cluster["nats"];

/** Kills processes at the same time, and restarts them after a while. */
export const kill = async (servers: readonly Server[], awayMs: number): Promise<void> => {
  await Promise.all(servers.map((server) => server.end()));
  await pause(awayMs);
  await Promise.all(servers.map((server) => server.start()));
};

/** Stops a process, and restarts it after a while. */
export const stop = async (server: Server, awayMs: number): Promise<void> => {
  await server.end("SIGTERM");
  await pause(awayMs);
  await server.start();
};

/** Freezes a process for a while, with its connections open. */
export const freeze = async (server: Server, frozenMs: number): Promise<void> => {
  server.signal("SIGSTOP");
  await pause(frozenMs);
  server.signal("SIGCONT");
};

const SYNC_EVERY_MS = 100;

/** Freezes a process while every device of one account keeps sending to the others. */
export const freezeDuringSync = async (server: Server, frozenMs: number, load: Load): Promise<void> => {
  const user = load.accounts[0]?.id;
  const devices = load.participants.filter((participant) => participant.user === user);
  const talk = setInterval(() => {
    for (const device of devices) if (device.present) device.sync();
  }, SYNC_EVERY_MS);
  try {
    await freeze(server, frozenMs);
  } finally {
    clearInterval(talk);
  }
};

const READY_MS = 30_000;

/** Restarts the processes of a service one by one, each when the previous one is ready. */
export const roll = async (members: Cluster["members"]): Promise<void> => {
  for (const member of members) {
    const ended = await member.end("SIGTERM");
    if (ended !== 0) throw new Error(`${member.name} ended with ${ended}:\n${member.output().slice(-2_000)}`);
    await member.start();
    await until(
      () => member.isReady(),
      READY_MS,
      () => `${member.name} is not ready`,
    );
    // Until the gateways have noticed it.
    await pause(1_500);
  }
};
