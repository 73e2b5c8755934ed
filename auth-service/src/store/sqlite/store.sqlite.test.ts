import { silentLog } from "@hearth/runtime";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "@jest/globals";
import { describeAuthStoreContract } from "../store.contract.ts";
import { createSqliteAuthStore } from "./store.sqlite.ts";

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "hearth-auth-"));
  folders.push(folder);
  return path.join(folder, "auth.db");
}

describeAuthStoreContract("SQLite in memory", async () =>
  createSqliteAuthStore({ file: ":memory:", log: silentLog }),
);
describeAuthStoreContract("SQLite in a file", async () =>
  createSqliteAuthStore({ file: await newFile(), log: silentLog }),
);
