import { readFile } from "node:fs/promises";
import { errorCode } from "@hearth/runtime";
import type { z } from "zod";
import { replaceFile } from "@hearth/local-api";

/** A small JSON file. */
export interface JsonFile<T> {
  /** `undefined` if it is missing or malformed; rejects if it cannot be read. */
  read(): Promise<T | undefined>;
  /** Replaces the file atomically, readable by this user only. Calls run one after the other. */
  write(value: T): Promise<void>;
}

export function jsonFile<T>(file: string, schema: z.ZodType<T>): JsonFile<T> {
  let writing: Promise<void> = Promise.resolve();
  return {
    async read() {
      const text = await readFile(file, "utf8").catch((error: unknown) => {
        if (errorCode(error) === "ENOENT") return "null";
        throw error;
      });
      try {
        return schema.safeParse(JSON.parse(text)).data;
      } catch {
        return undefined;
      }
    },
    write(value) {
      const text = JSON.stringify(value);
      writing = writing.catch(() => undefined).then(() => replaceFile(file, text));
      return writing;
    },
  };
}
