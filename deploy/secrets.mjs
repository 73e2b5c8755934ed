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
const redis = secret("redis");
const mongodb = secret("mongodb");
const internal = secret("internal");

share("gateway", { nats: nats.gateway, redis, internal });
share("auth", { nats: nats.auth, redis, mongodb, internal });
share("presence", { nats: nats.presence, redis, internal });
share("discovery", { nats: nats.discovery, redis, mongodb, internal });
share("sync", { nats: nats.sync });
share(
  "nats",
  Object.fromEntries(services.map((name) => [`NATS_PASSWORD_${name.toUpperCase()}`, nats[name]])),
);
share("redis", { password: redis, "auth.conf": `requirepass ${redis}\n` });
share("mongo", { password: mongodb });
share("grafana", { password: secret("grafana") });
