import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

/** Below the ports that systems give to outgoing connections, so that a server finds its own free when it comes back. */
const PORTS = { from: 12_000, to: 32_000 };
/** Those that are promised to servers which may not run yet. */
const promised = new Set<number>();

/** A port that was free a moment ago, and no other's of this process; a server that must come back needs one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (promised.has(port)) continue;
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    promised.add(port);
    return port;
  }
}

/** Whether something accepts connections at this port of this machine. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** How a process ended: its exit code, or the signal that ended it. */
export type Ended = number | NodeJS.Signals;

/** A server that a test may stop, kill, freeze and start again at the same address. */
export interface ServerProcess {
  readonly port: number;
  /** Of the process that runs now. */
  readonly pid: number | undefined;
  readonly running: boolean;
  /** Resolves when its port is open. */
  start(): Promise<void>;
  /** Ends it with the signal, kill -9 by default, and waits until it is gone. */
  end(signal?: NodeJS.Signals): Promise<Ended | undefined>;
  signal(signal: NodeJS.Signals): void;
  /** All that it has written since it was first started, both streams. */
  output(): string;
}

export interface ServerProcessOptions {
  readonly program: string;
  readonly args: readonly string[];
  /** Where it will listen. */
  readonly port: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const START_LIMIT_MS = 60_000;

class Server implements ServerProcess {
  readonly #options: ServerProcessOptions;
  #child: ChildProcess | undefined;
  #closed: Promise<Ended> | undefined;
  #output = "";

  constructor(options: ServerProcessOptions) {
    this.#options = options;
  }

  get port(): number {
    return this.#options.port;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get running(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  async start(): Promise<void> {
    const { program, args, port, cwd, env } = this.#options;
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], cwd, ...(env && { env }) });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
    // Closed, not merely exited: by then all that it wrote has arrived.
    this.#closed = once(child, "close").then((ended) => {
      const [code, signal] = ended as [number | null, NodeJS.Signals | null];
      return code ?? signal ?? 1;
    });
    const limit = Date.now() + START_LIMIT_MS;
    while (!(await isListening(port))) {
      if (!this.running || Date.now() > limit) {
        await this.end();
        throw new Error(`${program} ${args.join(" ")} did not start:\n${this.#output}`);
      }
      await setTimeout(20);
    }
  }

  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<Ended | undefined> {
    if (this.running) {
      this.#child?.kill(signal);
      this.#child?.kill("SIGCONT");
    }
    return this.#closed;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  output(): string {
    return this.#output;
  }
}

export const createServerProcess = (options: ServerProcessOptions): ServerProcess => new Server(options);
