// Gives each service a MongoDB user that may read and write that service's database and nothing else.
//   mongo-users.mjs SECRETS    SECRETS has a file `root` with the administrator's password, and one per user
// Runs at every start of the deployment: a user that is there gets the password and the rights again.
import { readFileSync } from "node:fs";
import path from "node:path";
import mongoose from "mongoose";

const DATABASES = { auth: "hearth-auth", discovery: "hearth-discovery" };

const [folder] = process.argv.slice(2);
const url = process.env.MONGODB_URL;
if (!folder || !url) throw new Error("MONGODB_URL=mongodb://host:port mongo-users.mjs SECRETS");
// The stand-in for MongoDB (stand-in.override.yml) knows users but no roles; every other server gives them.
const hasRoles = process.env.MONGODB_HAS_ROLES !== "false";
const secret = (name) => readFileSync(path.join(folder, name), "utf8").trim();

const connection = await mongoose
  .createConnection(url, { user: "hearth", pass: secret("root"), authSource: "admin" })
  .asPromise();
const admin = connection.useDb("admin").db;
for (const [user, database] of Object.entries(DATABASES)) {
  const { users } = await admin.command({ usersInfo: user });
  const command = users.length === 0 ? { createUser: user } : { updateUser: user };
  const roles = hasRoles ? [{ role: "readWrite", db: database }] : [];
  await admin.command({ ...command, pwd: secret(user), roles });
  process.stdout.write(`${users.length === 0 ? "made" : "renewed"} ${user}\n`);
}
await connection.close();
