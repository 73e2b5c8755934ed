import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createMongoServer,
  createNatsServer,
  createRedisServer,
  mongoProgram,
  natsProgram,
  redisProgram,
  type ServerProcess,
} from "@hearth/runtime/testing/servers";

/** Programs that a cluster needs and this machine lacks. */
export const missingServers: readonly string[] = Object.entries({
  "nats-server": natsProgram,
  "redis-server": redisProgram,
  "a MongoDB server": mongoProgram,
}).flatMap(([name, program]) => (program === undefined ? [name] : []));

export interface Passwords {
  /** The NATS password of each service, by its name. */
  readonly nats: Readonly<Record<string, string>>;
  readonly redis: string;
  readonly mongo: string;
}

/** The users of `deploy/redis.acl`, and one for tests that may do everything. */
const writeRedisUsers = async (folder: string, password: string): Promise<string> => {
  const template = await readFile(new URL("../../deploy/redis.acl", import.meta.url), "utf8");
  const users = template.replaceAll(/^#.*\n/gm, "").replaceAll(/\$REDIS_PASSWORD_\w+/g, password);
  const file = join(folder, "redis-users.acl");
  await writeFile(file, `${users}user tests reset on >${password} ~* &* +@all\n`, { mode: 0o600 });
  return file;
};

const CONFIG = fileURLToPath(new URL("../../deploy/nats.conf", import.meta.url));

export const MONGO_USER = "hearth";

export interface Servers {
  readonly nats: ServerProcess;
  readonly redis: ServerProcess;
  readonly mongo: ServerProcess;
}

/** The servers that the services depend on, with the credentials and permissions of `deploy/`; not started yet. */
export const createServers = async (folder: string, passwords: Passwords): Promise<Servers> => {
  if (missingServers.length > 0) throw new Error(`This machine has no ${missingServers.join(", no ")}`);
  const env = Object.entries(passwords.nats).map(([service, password]) => [
    `NATS_PASSWORD_${service.toUpperCase()}`,
    // NATS parses a variable like its file: an unquoted value that starts with a digit would be a number.
    JSON.stringify(password),
  ]);
  const [nats, redis, mongo] = await Promise.all([
    createNatsServer(natsProgram ?? "", {
      configFile: CONFIG,
      env: Object.fromEntries(env) as Record<string, string>,
    }),
    createRedisServer(redisProgram ?? "", { aclFile: await writeRedisUsers(folder, passwords.redis) }),
    createMongoServer(mongoProgram ?? "", {
      folder,
      user: { name: MONGO_USER, password: passwords.mongo },
    }),
  ]);
  return { nats, redis, mongo };
};
