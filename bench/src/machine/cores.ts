import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

const SERVER_CORE = 0;
const CLIENT_CORE = 1;

/** The cores of servers and load client: one each, or chosen by the kernel. */
export interface Cores {
  readonly pinned: boolean;
  readonly count: number;
  /** The command prefix that runs a program on the servers' core. */
  readonly server: readonly string[];
  /** The same for the core that the load client is on. */
  readonly client: readonly string[];
  /** The same for all cores together. */
  readonly all: readonly string[];
}

const unpinned = (count: number): Cores => ({ pinned: false, count, server: [], client: [], all: [] });

const tasksetWorks = (): boolean =>
  spawnSync("taskset", ["-c", String(CLIENT_CORE), "true"], { stdio: "ignore" }).status === 0;

/** Pins this process with all its threads to the client's core if possible. */
export function claimCores(): Cores {
  const count = availableParallelism();
  if (count < 2 || !tasksetWorks()) return unpinned(count);
  const moved = spawnSync("taskset", ["-acp", String(CLIENT_CORE), String(process.pid)], { stdio: "ignore" });
  if (moved.status !== 0) return unpinned(count);
  return {
    pinned: true,
    count,
    server: ["taskset", "-c", String(SERVER_CORE)],
    client: ["taskset", "-c", String(CLIENT_CORE)],
    all: ["taskset", "-c", `0-${count - 1}`],
  };
}
