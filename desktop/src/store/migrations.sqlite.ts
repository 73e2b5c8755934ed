import type { Migration } from "@hearth/runtime";
import { firstSchema } from "./schema.sqlite.ts";

export const migrations: readonly Migration[] = [{ number: 1, name: "device", sql: firstSchema }];
