import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { StartError, errorCode } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import { fillDevice, StoryClock } from "@hearth/desktop-tools/sample";
import { sampleYear } from "@hearth/desktop-tools/sample";
import { openDeviceReader, openDeviceStore } from "@hearth/store/sqlite";
import type { DataFolder } from "@hearth/local-api";

/** Marks a folder that this program filled, as opposed to a user's own. */
const MARK = "app_sample";
const SEED = 1;

const FILLING = "filling-";
const isFilling = (name: string): boolean => name.startsWith(FILLING);

function namesIn({ folder, settings }: DataFolder): readonly string[] {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return readdirSync(folder).filter((name) => name !== path.basename(settings));
  } catch (error) {
    throw new StartError(`${folder} cannot be written (${errorCode(error) ?? "unknown error"})`, {
      cause: error,
    });
  }
}

/** Only an empty folder is filled, so files without a database are leftovers of an earlier run. */
function isEmpty(data: DataFolder): boolean {
  const names = namesIn(data);
  const others = names.filter((name) => !isFilling(name));
  return others.length === 0 || (names.some(isFilling) && others.join() === path.basename(data.files));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** Leftovers of interrupted runs; those of running processes stay. */
function sweep(data: DataFolder): void {
  for (const name of namesIn(data).filter(isFilling)) {
    const pid = Number(name.slice(FILLING.length));
    const isOthers = pid !== process.pid && Number.isInteger(pid) && pid > 0 && isRunning(pid);
    if (!isOthers) rmSync(path.join(data.folder, name), { recursive: true, force: true });
  }
}

async function isSample({ database }: DataFolder, log: Log): Promise<boolean> {
  const device = openDeviceReader({ file: database, log });
  try {
    return (await device.reader.meta(MARK)) !== undefined;
  } finally {
    device.close();
  }
}

/**
 * Writes the database elsewhere first, so that the folder has the whole sample or nothing. Resolves to false if
 * another process was faster.
 */
async function fill(data: DataFolder, log: Log, now: number): Promise<boolean> {
  sweep(data);
  const folder = path.join(data.folder, `${FILLING}${process.pid}`);
  const database = path.join(folder, path.basename(data.database));
  const clock = new StoryClock();
  try {
    const store = openDeviceStore({ file: database, log, clock });
    try {
      await fillDevice({ writer: store.writer, clock, filesFolder: data.files }, sampleYear(SEED, now), now);
      await store.writer.setMeta(MARK, String(SEED));
    } finally {
      store.close();
    }
    if (existsSync(data.database)) return false;
    renameSync(database, data.database);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills an empty folder with the sample; resolves to false if it has it already. Refuses any other data. */
export async function ensureSample(data: DataFolder, log: Log, now: number): Promise<boolean> {
  if (isEmpty(data)) return fill(data, log, now);
  if (await isSample(data, log)) return false;
  throw new StartError(
    `${data.folder} already contains data, and --sample fills only an empty folder; choose another one with --data-dir DIR`,
  );
}
