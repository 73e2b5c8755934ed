import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServerProcess, freePort } from "./server-process.ts";
import type { ServerProcess } from "./server-process.ts";

export interface MongoServerOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** The data folder; default a temporary one. */
  readonly folder?: string;
  /** The only user, in `admin`; without one every client may do everything. */
  readonly user?: { readonly name: string; readonly password: string };
}

type MongoSettings = Required<Pick<MongoServerOptions, "port" | "folder">> & Pick<MongoServerOptions, "user">;

const ferretArguments = ({ port, folder, user }: MongoSettings): readonly string[] => [
  "--handler=sqlite",
  `--sqlite-url=file:${folder}/`,
  `--listen-addr=127.0.0.1:${port}`,
  "--debug-addr=-",
  "--telemetry=disable",
  "--log-level=WARN",
  `--state-dir=${folder}`,
  ...(user
    ? [
        "--test-enable-new-auth",
        "--setup-database=admin",
        `--setup-username=${user.name}`,
        `--setup-password=${user.password}`,
      ]
    : []),
];

const mongodArguments = ({ port, folder, user }: MongoSettings): readonly string[] => [
  ...["--bind_ip", "127.0.0.1", "--port", String(port), "--dbpath", folder],
  ...(user ? ["--auth"] : []),
];

/** MongoDB lets a client on the same machine create the first user. */
async function makeFirstUser({ port, user }: MongoSettings): Promise<void> {
  if (!user) return;
  const { default: mongoose } = await import("mongoose");
  const connection = await mongoose.createConnection(`mongodb://127.0.0.1:${port}/admin`).asPromise();
  await connection.db?.command({ createUser: user.name, pwd: user.password, roles: ["root"] });
  await connection.close();
}

/** MongoDB, or FerretDB over SQLite where the machine has only that. */
export async function createMongoServer(
  program: string,
  { port, folder, user }: MongoServerOptions = {},
): Promise<ServerProcess> {
  const settings = {
    port: port ?? (await freePort()),
    folder: folder ?? (await mkdtemp(path.join(tmpdir(), "hearth-mongo-"))),
    ...(user && { user }),
  };
  const isFerret = path.basename(program).startsWith("ferret");
  const args = isFerret ? ferretArguments(settings) : mongodArguments(settings);
  const server = createServerProcess({ program, port: settings.port, args, cwd: settings.folder });
  if (isFerret) return server;
  let hasUser = false;
  const start = server.start.bind(server);
  server.start = async () => {
    await start();
    if (!hasUser) await makeFirstUser(settings);
    hasUser = true;
  };
  return server;
}
