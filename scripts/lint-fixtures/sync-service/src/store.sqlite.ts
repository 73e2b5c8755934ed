import type { DatabaseSync } from "node:sqlite";

export const open = (database: DatabaseSync): DatabaseSync => database;
