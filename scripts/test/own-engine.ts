import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { whyUnfit } from "./engine-fitness.ts";

const run = promisify(execFile);

const PROGRAMS = ["dockerd", "docker", "docker-compose", "debootstrap"];
const START_MS = 60_000;
const IMAGES_MS = 600_000;
const STOP_MS = 30_000;

export interface OwnEngine {
  /** The `DOCKER_HOST` for its clients. */
  readonly host: string;
  stop(): Promise<void>;
}

/**
 * Starts a temporary container engine with its own folder and socket and with images made on this machine
 * (`deploy/stand-ins.sh`), or returns why it cannot. Needs Debian and root.
 */
export async function startOwnEngine(): Promise<OwnEngine | string> {
  if (process.getuid?.() !== 0) return "a temporary engine needs root";
  const absent = await missing(PROGRAMS);
  if (absent.length > 0) return `this machine has no ${absent.join(", ")}`;
  // Not /tmp, which may be in memory.
  const folder = mkdtempSync("/var/tmp/hearth-engine-");
  const engine = new Engine(folder);
  const why = await engine.prepare().catch((error: unknown) => lastLine(String(error)));
  if (why === undefined) return engine;
  await engine.stop();
  return why;
}

class Engine implements OwnEngine {
  readonly host: string;
  private readonly folder: string;
  private readonly daemon: ChildProcess;
  private readonly env: NodeJS.ProcessEnv;

  constructor(folder: string) {
    this.folder = folder;
    this.host = `unix://${path.join(folder, "docker.sock")}`;
    this.env = { ...process.env, DOCKER_HOST: this.host };
    const places = ["data", "exec"].flatMap((name) => [`--${name}-root`, path.join(folder, name)]);
    // Each deployment creates its networks; the default one is not needed.
    const options = [
      ...places,
      "--pidfile",
      path.join(folder, "pid"),
      "--host",
      this.host,
      "--bridge",
      "none",
    ];
    const log = openSync(this.log, "a");
    this.daemon = spawn("dockerd", options, { stdio: ["ignore", log, log] });
    closeSync(log);
    this.daemon.on("error", () => undefined);
    process.on("exit", this.kill);
  }

  /** Why it cannot be used, or `undefined`. */
  async prepare(): Promise<string | undefined> {
    if (!(await this.answers()))
      return `the engine does not start: ${lastLine(readFileSync(this.log, "utf8"))}`;
    if ((await this.docker("info", "--format", "{{.Driver}}")) === "vfs")
      return "the engine has no layered file system here";
    await run("deploy/stand-ins.sh", { env: this.env, timeout: IMAGES_MS });
    return whyUnfit((...args) => this.docker(...args));
  }

  async stop(): Promise<void> {
    process.off("exit", this.kill);
    const { pid, exitCode, signalCode } = this.daemon;
    if (pid !== undefined && exitCode === null && signalCode === null) {
      const ended = once(this.daemon, "exit");
      const late = setTimeout(() => this.daemon.kill("SIGKILL"), STOP_MS);
      this.daemon.kill();
      await ended;
      clearTimeout(late);
    }
    try {
      await unmountBelow(this.folder);
      rmSync(this.folder, { recursive: true, force: true });
    } catch (error) {
      console.warn(`the engine's folder ${this.folder} could not be removed: ${String(error)}`);
    }
  }

  private readonly kill = (): void => void this.daemon.kill();

  private get log(): string {
    return path.join(this.folder, "log");
  }

  private async answers(): Promise<boolean> {
    const until = Date.now() + START_MS;
    while (Date.now() < until && this.daemon.exitCode === null) {
      const version = await this.docker("version", "--format", "{{.Server.Version}}").catch(() => "");
      if (version !== "") return true;
      await sleep(250);
    }
    return false;
  }

  private async docker(...args: readonly string[]): Promise<string> {
    const { stdout } = await run("docker", args, { env: this.env, timeout: 120_000 });
    return stdout.trim();
  }
}

async function missing(programs: readonly string[]): Promise<readonly string[]> {
  const found = programs.map((program) =>
    run("sh", ["-c", `command -v ${program}`]).then(
      () => [],
      () => [program],
    ),
  );
  return (await Promise.all(found)).flat();
}

/** The daemon leaves mounts behind, such as its network namespace. */
async function unmountBelow(folder: string): Promise<void> {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const places = mounts.map((line) => line.split(" ")[4] ?? "").filter((it) => it.startsWith(`${folder}/`));
  for (const place of places.reverse()) await run("umount", ["--lazy", place]);
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1)?.trim() ?? "";
