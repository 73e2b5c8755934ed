import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "@hearth/runtime/testing/servers";
import type { Engine } from "./engine.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export interface Container {
  readonly id: string;
  readonly service: string;
}

/** The whole deployment with its own project name, port and volumes. */
export class Stack {
  readonly project = `hearth-test-${randomBytes(4).toString("hex")}`;
  readonly url: string;
  private readonly engine: Engine;
  private readonly env: NodeJS.ProcessEnv;

  private constructor(engine: Engine, port: number) {
    this.engine = engine;
    this.url = `http://127.0.0.1:${port}`;
    const { PATH, HOME, DOCKER_HOST } = process.env;
    this.env = {
      ...{ PATH, HOME, DOCKER_HOST, HEARTH_VERSION: "test", HEARTH_LISTEN: `127.0.0.1:${port}` },
      // The builder that every engine has.
      ...(engine.standIns && { DOCKER_BUILDKIT: "0" }),
    };
  }

  static async prepare(engine: Engine): Promise<Stack> {
    return new Stack(engine, await freePort());
  }

  /** One command of compose. */
  async compose(...args: readonly string[]): Promise<string> {
    const [program, ...words] = this.engine.compose;
    const files = ["docker-compose.yml", ...(this.engine.standIns ? ["deploy/stand-in.override.yml"] : [])];
    const named = files.flatMap((file) => ["-f", path.join(ROOT, file)]);
    return this.run(program, [...words, "-p", this.project, ...named, ...args]);
  }

  docker(...args: readonly string[]): Promise<string> {
    return this.run("docker", args);
  }

  async containers(service?: string): Promise<readonly Container[]> {
    const label = "com.docker.compose";
    const filter = `label=${label}.project=${this.project}`;
    const format = `{{.ID}} {{.Label "${label}.service"}}`;
    const lines = (await this.docker("ps", "--filter", filter, "--format", format)).trim().split("\n");
    const all = lines.map((line) => line.split(" ")).map(([id = "", name = ""]) => ({ id, service: name }));
    return service === undefined ? all : all.filter((container) => container.service === service);
  }

  /** Runs JavaScript in one of our containers; resolves with its output. */
  async evaluate({ id }: Container, script: string): Promise<string> {
    return (await this.docker("exec", id, "node", "-e", script)).trim();
  }

  private async run(program: string, args: readonly string[]): Promise<string> {
    const { stdout } = await run(program, args, { cwd: ROOT, env: this.env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  }
}
