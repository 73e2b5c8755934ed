import type { DatabaseSync } from "node:sqlite";
import { StartError } from "../errors/start-error.ts";

/** One step of a schema. Steps are numbered from 1 without gaps. A released step never changes. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

function versionOf(database: DatabaseSync): number {
  const row = database.prepare("PRAGMA user_version").get();
  return Number(row?.["user_version"] ?? 0);
}

function apply(database: DatabaseSync, { number, name, sql }: Migration): void {
  // It takes the lock before it reads the version: of two processes that start together, one finds the work done.
  database.exec("BEGIN IMMEDIATE");
  try {
    if (versionOf(database) < number) {
      database.exec(sql);
      const broken = database.prepare("PRAGMA foreign_key_check").all();
      if (broken.length > 0) throw new Error("it breaks foreign keys");
      database.exec(`PRAGMA user_version = ${number}`);
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw new StartError(`Migration ${number} (${name}) failed; the database is as it was before`, {
      cause: error,
    });
  }
}

/** Applies the steps that the database lacks, each in its own transaction. */
export function migrate(database: DatabaseSync, migrations: readonly Migration[], file: string): void {
  migrations.forEach(({ number }, index) => {
    if (number !== index + 1) throw new Error(`Migration ${number} stands where ${index + 1} should`);
  });
  const version = versionOf(database);
  if (version > migrations.length) {
    throw new StartError(
      `The database ${file} has schema ${version}, and this version knows ${migrations.length}: it was used by a newer version`,
    );
  }
  for (const migration of migrations.slice(version)) apply(database, migration);
}
