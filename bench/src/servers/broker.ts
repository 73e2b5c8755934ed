import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { freePort, isListening } from "@hearth/runtime/testing/servers";
import { until } from "@hearth/runtime/testing/until";
import { HOST } from "../machine/addresses.ts";
import { programNamed } from "../machine/programs.ts";
import { cpuMicrosOf } from "../machine/usage.ts";

const READY_MS = 10_000;
const running = new Set<Broker>();

process.on("exit", () => {
  for (const broker of running) broker.abandon();
});

/** The brokers' password in every run; they are not reachable from other machines. */
export const CREDENTIALS = { user: "bench", password: "bench-bench-bench-bench" } as const;

/** A real NATS or Redis without persistence, as a child process. */
export class Broker {
  readonly port: number;
  private readonly child: ChildProcess;
  private readonly pid: number;

  private constructor(port: number, core: readonly string[], words: readonly string[]) {
    const [command = "", ...args] = [...core, ...words];
    this.port = port;
    this.child = spawn(command, args, { stdio: "ignore" });
    if (this.child.pid === undefined) throw new Error(`${command} could not be started`);
    this.pid = this.child.pid;
    running.add(this);
  }

  static async startNats(core: readonly string[]): Promise<Broker> {
    const program = programNamed("nats-server");
    const port = await freePort();
    const { user, password } = CREDENTIALS;
    const access = ["--user", user, "--pass", password];
    return Broker.start(port, core, [program, "--addr", HOST, "--port", String(port), ...access]);
  }

  static async startRedis(core: readonly string[]): Promise<Broker> {
    const program = programNamed("redis-server");
    const port = await freePort();
    const inMemory = ["--save", "", "--appendonly", "no", "--requirepass", CREDENTIALS.password];
    return Broker.start(port, core, [program, "--bind", HOST, "--port", String(port), ...inMemory]);
  }

  /** Processor time used so far, of all its threads. */
  get cpuMicros(): number {
    return cpuMicrosOf(this.pid);
  }

  async stop(): Promise<void> {
    if (!this.ended) {
      const gone = once(this.child, "exit");
      this.child.kill("SIGKILL");
      await gone;
    }
    running.delete(this);
  }

  abandon(): void {
    if (!this.ended) this.child.kill("SIGKILL");
  }

  private static async start(
    port: number,
    core: readonly string[],
    words: readonly string[],
  ): Promise<Broker> {
    const broker = new Broker(port, core, words);
    await until(() => {
      if (broker.ended) throw new Error("The broker ended before it was ready");
      return isListening(port);
    }, READY_MS);
    return broker;
  }

  private get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}
