import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServerProcess, freePort, type ServerProcess } from "@hearth/runtime/testing/servers";
import { MONGO_USER, type Passwords, type Servers } from "../../entries/servers.ts";

export type MemberService = "gateway" | "auth" | "presence" | "discovery" | "sync";

/** One process of one service, which restarts at the same address. */
export interface Member extends ServerProcess {
  readonly service: MemberService;
  /** As in `presence-2`. */
  readonly name: string;
  /** Its URL: public for a gateway, internal for a service; sync has none. */
  readonly url: string;
  readonly metricsUrl: string;
  isReady(): Promise<boolean>;
}

export interface MemberOptions {
  readonly service: MemberService;
  readonly name: string;
  readonly servers: Servers;
  readonly passwords: Passwords & { readonly internal: string };
  readonly env: Readonly<Record<string, string>>;
  readonly entry?: string | undefined;
  readonly port?: number | undefined;
}

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export const UNLIMITED_LOGINS = { MAX_WAITING_LOGINS_PER_ADDRESS: "256" };

/** Lets one sender fill the buffers of a stalled reader; the limits of AB5 would refuse the flood long before. */
export const LOUD = {
  CONNECTION_KIB_PER_SECOND: "1000000",
  ACCOUNT_KIB_PER_SECOND: "1000000",
  ROOM_KIB_PER_SECOND: "1000000",
};

/** Halves the start time of a process. */
const COMPILED = join(ROOT, "node_modules/.cache/hearth-compiled");

/** Suites about other things create many servers with one account. */
export const AMPLE_QUOTAS = { MAX_SERVERS_OWNED: "1000", MAX_SERVERS_MADE_PER_HOUR: "1000" };

/** All clients of a test share one address and do in seconds what takes users hours; each limit has its own tests. */
export const UNLIMITED = {
  MAX_SOCKETS_PER_ADDRESS: "0",
  MAX_UPGRADES_PER_MINUTE: "0",
  MAX_CONNECTIONS_PER_ADDRESS: "0",
  MAX_ACCOUNT_WRITES_PER_SECOND: "0",
  MAX_ADDRESS_WRITES_PER_SECOND: "0",
  MAX_ADDRESS_SEARCHES_PER_SECOND: "0",
  MAX_ADDRESS_READS_PER_SECOND: "0",
};

/** Node stores its compile cache when a process exits by itself, as one without addresses does. */
export const compileOnce = async (): Promise<void> => {
  if (existsSync(COMPILED)) return;
  for (const service of ["gateway", "auth", "presence", "discovery", "sync"] as const) {
    const env = { PATH: process.env["PATH"], NODE_COMPILE_CACHE: COMPILED };
    const child = spawn(process.execPath, [mainOf(service)], { cwd: ROOT, env, stdio: "ignore" });
    await once(child, "exit");
  }
};

const folderOf = (service: MemberService): string => (service === "gateway" ? service : `${service}-service`);

const mainOf = (service: MemberService): string => join(folderOf(service), "src/main.ts");

/** The environment of each service, and nothing else. */
export const addressesFor = ({
  service,
  servers,
  passwords,
}: Pick<MemberOptions, "service" | "servers" | "passwords">): Record<string, string> => {
  const bus = {
    NATS_SERVERS: `127.0.0.1:${servers.nats.port}`,
    NATS_USER: service,
    NATS_PASSWORD: passwords.nats[service] ?? "",
  };
  const redis = {
    REDIS_URL: `redis://127.0.0.1:${servers.redis.port}`,
    REDIS_USER: service,
    REDIS_PASSWORD: passwords.redis,
    INTERNAL_SECRET: passwords.internal,
  };
  const mongo = {
    MONGODB_URL: `mongodb://127.0.0.1:${servers.mongo.port}/hearth`,
    MONGODB_USER: MONGO_USER,
    MONGODB_PASSWORD: passwords.mongo,
  };
  if (service === "sync") return bus;
  if (service === "gateway" || service === "presence") return { ...bus, ...redis };
  return { ...bus, ...redis, ...mongo };
};

export const createMember = async (options: MemberOptions): Promise<Member> => {
  const { service, name, entry = mainOf(service), env } = options;
  const port = options.port ?? (await freePort());
  const metricsPort = await freePort();
  const server = createServerProcess({
    program: process.execPath,
    args: [entry],
    // A service starts listening only when its dependencies are reachable.
    port: metricsPort,
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: COMPILED,
      HOST: "127.0.0.1",
      PORT: String(port),
      METRICS_HOST: "127.0.0.1",
      METRICS_PORT: String(metricsPort),
      ...addressesFor(options),
      ...(service === "auth" && { BCRYPT_COST: "10", ...UNLIMITED_LOGINS }),
      ...(service === "gateway" && UNLIMITED),
      ...(service === "discovery" && AMPLE_QUOTAS),
      ...env,
    },
  });
  const own = `http://127.0.0.1:${metricsPort}`;
  return Object.assign(server, {
    service,
    name,
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `${own}/metrics`,
    isReady: async () => {
      try {
        return (await fetch(`${own}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok;
      } catch {
        return false;
      }
    },
  });
};
