import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

/** Below the ports of outgoing connections, so that a restarted server finds its port free. */
const PORTS = { from: 12_000, to: 32_000 };
/** Ports that are reserved for servers that may not run yet. */
const reserved = new Set<number>();

/** A free port that no other server of this process has. A server that restarts needs a fixed one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (reserved.has(port)) continue;
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    reserved.add(port);
    return port;
  }
}

/** Whether a process accepts connections at this local port. */
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
  /** The process id. */
  readonly pid: number | undefined;
  readonly running: boolean;
  /** Resolves once its port is open. */
  start(): Promise<void>;
  /** Ends it with the signal, kill -9 by default, and waits until it is gone. */
  end(signal?: NodeJS.Signals): Promise<Ended | undefined>;
  signal(signal: NodeJS.Signals): void;
  /** Everything that it has written to both streams since its first start. */
  output(): string;
}

export interface ServerProcessOptions {
  readonly program: string;
  readonly args: readonly string[];
  /** The port to listen on. */
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
    // Waits for "close" rather than "exit", because all output has arrived by then.
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
