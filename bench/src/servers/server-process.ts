import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { until } from "@hearth/runtime/testing/until";
import { cpuMicrosOf, rssKibOf } from "../machine/usage.ts";
import { HOST } from "../machine/addresses.ts";

export interface ServerOptions {
  readonly name: string;
  /** The file that Node runs. */
  readonly file: string;
  /** Its command-line arguments. */
  readonly args?: readonly string[];
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
  /** The command prefix that pins it to a core. */
  readonly core: readonly string[];
  readonly nodeOptions?: readonly string[];
  readonly ready: () => Promise<boolean>;
}

const READY_MS = 30_000;
const STOP_MS = 10_000;
const ANSWER_MS = 30_000;
const probe = new URL("probe.ts", import.meta.url).href;
const running = new Set<ServerProcess>();

process.on("exit", () => {
  for (const server of running) server.abandon();
});

/** A measured server, as a child process. */
export class ServerProcess {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  private readonly child: ChildProcess;
  private readonly logFolder: string;

  private constructor({
    name,
    port,
    file,
    environment,
    core,
    nodeOptions = [],
    args: own = [],
  }: ServerOptions) {
    this.name = name;
    this.port = port;
    this.logFolder = mkdtempSync(path.join(tmpdir(), "bench-log-"));
    const log = openSync(this.logFile, "a");
    const words: readonly string[] = [
      ...core,
      process.execPath,
      "--disable-warning=ExperimentalWarning",
      ...nodeOptions,
      "--import",
      probe,
      file,
      ...own,
    ];
    const [command = "", ...args] = words;
    const { PATH = "", HOME = "" } = process.env;
    this.child = spawn(command, args, {
      env: { PATH, HOME, NODE_ENV: "production", HOST, PORT: String(port), ...environment },
      stdio: ["ignore", log, log, "ipc"],
    });
    closeSync(log);
    if (this.child.pid === undefined) throw new Error(`${name} could not be started`);
    this.pid = this.child.pid;
    running.add(this);
  }

  static async start(options: ServerOptions): Promise<ServerProcess> {
    const server = new ServerProcess(options);
    try {
      await until(() => {
        if (server.ended) throw new Error("It ended before it was ready");
        return options.ready();
      }, READY_MS);
    } catch (error) {
      const said = readFileSync(server.logFile, "utf8").slice(-2000);
      await server.stop();
      throw new Error(`${options.name} did not start. Its last words:\n${said}`, { cause: error });
    }
    return server;
  }

  /** Processor time used so far, of all its threads. */
  get cpuMicros(): number {
    return cpuMicrosOf(this.pid);
  }

  get rssKib(): number {
    return rssKibOf(this.pid);
  }

  /** Asks the probe inside; rejects when it cannot answer. */
  async ask(question: string): Promise<Record<string, unknown>> {
    const deadline = AbortSignal.timeout(ANSWER_MS);
    this.child.send({ probe: question });
    for (;;) {
      const [message] = (await once(this.child, "message", { signal: deadline })) as [unknown];
      if (typeof message !== "object" || message === null || !("probed" in message)) continue;
      if (message.probed !== question) continue;
      if ("answer" in message && typeof message.answer === "object" && message.answer !== null) {
        return message.answer as Record<string, unknown>;
      }
      throw new Error(`${this.name} could not answer ${question}`);
    }
  }

  async stop(): Promise<void> {
    if (!this.ended) {
      this.child.kill("SIGTERM");
      const patience = setTimeout(() => this.kill(), STOP_MS);
      await once(this.child, "exit");
      clearTimeout(patience);
    }
    this.abandon();
  }

  /** Kills it and removes its files. */
  abandon(): void {
    running.delete(this);
    if (!this.ended) this.kill();
    rmSync(this.logFolder, { recursive: true, force: true });
  }

  private kill(): void {
    this.child.kill("SIGKILL");
  }

  private get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  private get logFile(): string {
    return path.join(this.logFolder, "log");
  }
}
