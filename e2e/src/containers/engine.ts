import { execFileSync } from "node:child_process";

/** The images of the deployment besides those that it builds. */
const IMAGES = ["node:24-bookworm-slim", "nats:2.11-alpine", "redis:7.2-bookworm", "mongo:8.0"];

const output = (program: string, args: readonly string[]): string | undefined => {
  try {
    return execFileSync(program, args, { encoding: "utf8", timeout: 20_000, stdio: "pipe" });
  } catch {
    return undefined;
  }
};

/** The command words of either compose generation. */
function findCompose(): readonly [string, ...string[]] | undefined {
  if (output("docker", ["compose", "version"]) !== undefined) return ["docker", "compose"];
  if (output("docker-compose", ["version"]) !== undefined) return ["docker-compose"];
  return undefined;
}

export interface Engine {
  readonly compose: readonly [string, ...string[]];
  /** Images made on this machine take the place of the real ones: see `deploy/stand-ins.sh`. */
  readonly standIns: boolean;
}

/**
 * The machine's container engine, or the reason why it cannot be used. `HEARTH_COMPOSE=1` allows fetching images,
 * `HEARTH_COMPOSE=0` disables containers; otherwise the images must exist.
 */
export function findEngine(): Engine | string {
  const wanted = process.env["HEARTH_COMPOSE"];
  if (wanted === "0") return "HEARTH_COMPOSE=0";
  if (output("docker", ["version", "--format", "{{.Server.Version}}"]) === undefined)
    return "no container engine answers";
  const compose = findCompose();
  if (!compose) return "there is no docker compose";
  const absent = IMAGES.filter((image) => output("docker", ["image", "inspect", image]) === undefined);
  if (wanted !== "1" && absent.length > 0) return `images are not on this machine: ${absent.join(", ")}`;
  const label = ["--format", '{{index .Config.Labels "hearth.stand-in"}}', "mongo:8.0"];
  const standIns = output("docker", ["image", "inspect", ...label])?.trim() === "true";
  return { compose, standIns };
}
