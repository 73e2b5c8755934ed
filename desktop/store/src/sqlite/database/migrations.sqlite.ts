import type { Migration } from "@hearth/runtime";
import { historySchema } from "./history-schema.sqlite.ts";
import { peopleByInstance } from "./people-schema.sqlite.ts";
import { firstSchema } from "./schema.sqlite.ts";

export const migrations: readonly Migration[] = [
  { number: 1, name: "device", sql: firstSchema },
  { number: 2, name: "history", sql: historySchema },
  { number: 3, name: "people by instance", sql: peopleByInstance },
];
