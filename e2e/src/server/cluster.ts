import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Health } from "@hearth/contracts";
import { until } from "@hearth/runtime/testing/until";
import { createServers, type Passwords, type Servers } from "../../entries/servers.ts";
import { compileOnce, createMember, type Member, type MemberService } from "./member.ts";

export interface ClusterOptions {
  /** The number of processes per service; one by default. */
  readonly gateways?: number;
  readonly auth?: number;
  readonly presence?: number;
  readonly discovery?: number;
  readonly sync?: number;
  /** For every process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Data of an earlier run; a fresh folder by default. */
  readonly dataDir?: string;
  /** The file to run instead of a service's `main.ts`, relative to the repository. */
  readonly entries?: Partial<Record<MemberService, string>>;
  /** The first gateway sends every socket to the first node of presence, the second to the second, and so on. */
  readonly pinned?: boolean;
  /** Where the first gateway listens; a free port by default. */
  readonly port?: number;
}

/** The distributed product: several processes of every service, and the servers that they depend on. */
export interface Cluster extends Servers {
  /** Of the first gateway. */
  readonly url: string;
  readonly dataDir: string;
  readonly gateways: readonly Member[];
  readonly auth: readonly Member[];
  readonly presence: readonly Member[];
  readonly discovery: readonly Member[];
  readonly sync: readonly Member[];
  /** The processes of all services. */
  readonly members: readonly Member[];
  readonly passwords: Passwords & { readonly internal: string };
  /** The output of all processes. */
  output(): string;
  /** Resolves when every running process is ready and every gateway reports good health. */
  ready(limitMs?: number): Promise<void>;
  /** Ends everything, the services first. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Removes the data. */
  cleanUp(): Promise<void>;
}

const READY_MS = 30_000;
const SERVICES = ["gateway", "auth", "presence", "discovery", "sync"] as const;

/** New passwords, or those of an earlier run in this folder. */
const passwordsIn = async (folder: string): Promise<Cluster["passwords"]> => {
  const file = join(folder, "passwords.json");
  try {
    return JSON.parse(await readFile(file, "utf8")) as Cluster["passwords"];
  } catch {
    // Starts with a letter: a NATS configuration file might otherwise read it as a number.
    const secret = () => `s${randomBytes(16).toString("hex")}`;
    const nats = Object.fromEntries(SERVICES.map((service) => [service, secret()]));
    const made = { nats, redis: secret(), mongo: secret(), internal: secret() };
    await writeFile(file, JSON.stringify(made), { mode: 0o600 });
    return made;
  }
};

type Counts = Record<MemberService, number>;
const countsOf = ({
  gateways = 1,
  auth = 1,
  presence = 1,
  discovery = 1,
  sync = 1,
}: ClusterOptions): Counts => ({
  gateway: gateways,
  auth,
  presence,
  discovery,
  sync,
});

const createMembers = async (
  options: ClusterOptions,
  servers: Servers,
  passwords: Cluster["passwords"],
): Promise<Record<MemberService, Member[]>> => {
  const counts = countsOf(options);
  const made: Record<MemberService, Member[]> = {
    gateway: [],
    auth: [],
    presence: [],
    discovery: [],
    sync: [],
  };
  const urls = (service: MemberService, only?: number) =>
    made[service].flatMap(({ url }, index) => (only === undefined || only === index ? [url] : [])).join(",");
  for (const service of ["auth", "presence", "discovery", "sync", "gateway"] as const) {
    for (let n = 1; n <= counts[service]; n += 1) {
      const member = await createMember({
        service,
        name: `${service}-${n}`,
        servers,
        passwords,
        entry: options.entries?.[service],
        port: service === "gateway" && n === 1 ? options.port : undefined,
        env: {
          ...(service === "gateway" && {
            AUTH_URLS: urls("auth"),
            DISCOVERY_URLS: urls("discovery"),
            PRESENCE_URLS: urls("presence", options.pinned === true ? n - 1 : undefined),
          }),
          ...options.env,
        },
      });
      made[service].push(member);
    }
  }
  return made;
};

const isWell = async (url: string): Promise<boolean> => {
  try {
    const answer = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2_000) });
    return ((await answer.json()) as Health).status === "ok";
  } catch {
    return false;
  }
};

const allReady = async (members: readonly Member[], limitMs = READY_MS): Promise<void> => {
  const deadline = Date.now() + limitMs;
  const running = members.filter((member) => member.running);
  const left = (): number => Math.max(0, deadline - Date.now());
  for (const member of running)
    await until(
      () => member.isReady(),
      left(),
      () => `${member.name} is not ready:\n${member.output()}`,
    );
  for (const member of running.filter(({ service }) => service === "gateway"))
    await until(
      () => isWell(member.url),
      left(),
      () => `${member.name} does not report "ok":\n${member.output()}`,
    );
};

/** Creates a cluster without starting it; {@link startCluster} does both. */
export const createCluster = async (options: ClusterOptions = {}): Promise<Cluster> => {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "hearth-cluster-")));
  const passwords = await passwordsIn(dataDir);
  const servers = await createServers(dataDir, passwords);
  const { gateway: gateways, ...others } = await createMembers(options, servers, passwords);
  const members = [...others.auth, ...others.presence, ...others.discovery, ...others.sync, ...gateways];
  return {
    ...servers,
    ...others,
    gateways,
    members,
    passwords,
    dataDir,
    url: gateways[0]?.url ?? "",
    output: () => members.map((member) => member.output()).join(""),
    ready: (limitMs) => allReady(members, limitMs),
    async stop(signal = "SIGKILL") {
      await Promise.all(members.map((member) => member.end(signal)));
      await Promise.all([servers.nats, servers.redis, servers.mongo].map((server) => server.end()));
    },
    cleanUp: () => rm(dataDir, { recursive: true, force: true }),
  };
};

/**
 * Resolves when every process is ready. The gateways start last, so that clients reach all services from the start.
 */
export const startCluster = async (options: ClusterOptions = {}): Promise<Cluster> => {
  const cluster = await createCluster(options);
  try {
    await compileOnce();
    await Promise.all([cluster.nats, cluster.redis, cluster.mongo].map((server) => server.start()));
    const services = cluster.members.filter(({ service }) => service !== "gateway");
    await Promise.all(services.map((member) => member.start()));
    await allReady(services);
    await Promise.all(cluster.gateways.map((gateway) => gateway.start()));
    await cluster.ready();
    const ended = cluster.members.find(({ running }) => !running);
    if (ended) throw new Error(`${ended.name} did not stay:\n${ended.output()}`);
    return cluster;
  } catch (error) {
    await cluster.stop();
    await cluster.cleanUp();
    throw error;
  }
};
