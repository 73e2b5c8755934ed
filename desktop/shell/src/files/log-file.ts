import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import path from "node:path";

const LIMIT_BYTES = 2_000_000;

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * The app's log: one file and its predecessor. A full disk costs lines, never the app. Written synchronously, so that
 * the line before a crash is there.
 */
export function createLogFile(file: string, limitBytes: number = LIMIT_BYTES): { write(line: string): void } {
  let size: number | undefined;
  return {
    write(line) {
      try {
        if (size === undefined) {
          mkdirSync(path.dirname(file), { recursive: true });
          size = sizeOf(file);
        }
        if (size > limitBytes) {
          renameSync(file, `${file}.1`);
          size = 0;
        }
        appendFileSync(file, line, { mode: 0o600 });
        size += Buffer.byteLength(line);
      } catch {
        size = undefined;
      }
    },
  };
}
