// The first-run step: makes the secrets of a cluster once, and gives every container its own and no other.
//   secrets.mjs MASTER SHARES    MASTER keeps one file per secret, SHARES gets one folder per container
// What is there already stays: to change a secret, delete its file in MASTER, run this again, restart who uses it.
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

const [master, shares] = process.argv.slice(2);
if (!master || !shares) throw new Error("secrets.mjs MASTER SHARES");

mkdirSync(master, { recursive: true, mode: 0o700 });

/** Complete or not there: a run that was killed leaves nothing half written. */
function write(file, text, mode) {
  writeFileSync(`${file}.new`, text, { mode });
  renameSync(`${file}.new`, file);
}

/** Starts with a letter, so that no configuration format takes it for a number. */
function secret(name) {
  const file = path.join(master, name);
  if (!existsSync(file)) {
    write(file, `s${randomBytes(24).toString("hex")}`, 0o400);
    process.stdout.write(`made ${name}\n`);
  }
  return readFileSync(file, "utf8").trim();
}

function share(container, files) {
  const folder = path.join(shares, container);
  mkdirSync(folder, { recursive: true });
  // Only the container whose folder it is sees it; the user it runs as is its own affair.
  for (const [name, text] of Object.entries(files)) write(path.join(folder, name), text, 0o444);
}

const services = ["gateway", "auth", "presence", "discovery", "sync"];
const nats = Object.fromEntries(services.map((service) => [service, secret(`nats-${service}`)]));
const redisUsers = ["health", "gateway", "auth", "presence", "discovery"];
const redis = Object.fromEntries(redisUsers.map((user) => [user, secret(`redis-${user}`)]));
const mongodbUsers = ["auth", "discovery"];
const mongodb = Object.fromEntries(mongodbUsers.map((user) => [user, secret(`mongodb-${user}`)]));
const mongodbRoot = secret("mongodb");
const internal = secret("internal");

/** The users of Redis with their passwords, as Redis reads them. */
const redisAcl = readFileSync(new URL("redis.acl", import.meta.url), "utf8")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\$REDIS_PASSWORD_(\w+)/g, (_, user) => redis[user.toLowerCase()]);

share("gateway", { nats: nats.gateway, redis: redis.gateway, internal });
share("auth", { nats: nats.auth, redis: redis.auth, mongodb: mongodb.auth, internal });
share("presence", { nats: nats.presence, redis: redis.presence, internal });
share("discovery", { nats: nats.discovery, redis: redis.discovery, mongodb: mongodb.discovery, internal });
share("sync", { nats: nats.sync });
share(
  "nats",
  Object.fromEntries(services.map((name) => [`NATS_PASSWORD_${name.toUpperCase()}`, nats[name]])),
);
share("redis", { password: redis.health, "users.acl": redisAcl });
share("mongo", { password: mongodbRoot });
share("mongo-users", { root: mongodbRoot, ...mongodb });
share("grafana", { password: secret("grafana") });
