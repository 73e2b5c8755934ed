import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** A device's data folder with one large room in it. */
export interface FilledDevice {
  readonly folder: string;
  /** Its database. */
  readonly file: string;
  readonly roomId: string;
  readonly messages: number;
  /** The number of messages changed after this time. */
  readonly sinceTimestamp: number;
  readonly changes: number;
  /** Messages per second through the app's writer while it was filled. */
  readonly perSecond: number;
}

const PREFIX = "hearth-bench-device-";
const DATABASE = "device.sqlite";
const FACTS = "bench-facts.json";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const entry = path.join(root, "bench/entries/fill-device.ts");

/** Changes with everything that affects the written data. */
function keyOf(messages: number): string {
  const store = path.join(root, "desktop/store/src");
  const sources = readdirSync(store)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => path.join(store, name));
  const hash = createHash("sha256").update(String(messages));
  for (const source of [entry, ...sources.toSorted()]) hash.update(readFileSync(source));
  return hash.digest("hex").slice(0, 16);
}

async function fill(folder: string, messages: number, core: readonly string[]): Promise<void> {
  const words: readonly string[] = [
    ...core,
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    entry,
    path.join(folder, DATABASE),
    String(messages),
    path.join(folder, FACTS),
  ];
  const [command = "", ...args] = words;
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "inherit"] });
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end);
  const [code] = (await once(child, "exit")) as [number | null];
  process.removeListener("exit", end);
  if (code !== 0) throw new Error("The device could not be filled");
}

function described(folder: string): FilledDevice {
  const facts = JSON.parse(readFileSync(path.join(folder, FACTS), "utf8")) as Omit<
    FilledDevice,
    "folder" | "file"
  >;
  return { ...facts, folder, file: path.join(folder, DATABASE) };
}

/** Removes data of other versions. */
function removeOutdated(prefix: string): void {
  for (const name of readdirSync(tmpdir())) {
    if (name.startsWith(prefix)) rmSync(path.join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** The device with this many messages: from the system's temporary folder if it exists, else filled now. */
export async function filledDevice(
  messages: number,
  core: readonly string[],
  progress: (text: string) => void,
): Promise<FilledDevice> {
  const prefix = `${PREFIX}${messages}-`;
  const folder = path.join(tmpdir(), `${prefix}${keyOf(messages)}`);
  if (!existsSync(folder)) {
    removeOutdated(prefix);
    progress(`writing ${messages} messages to ${folder}`);
    const begun = mkdtempSync(path.join(tmpdir(), "bench-fill-"));
    process.once("exit", () => rmSync(begun, { recursive: true, force: true }));
    await fill(begun, messages, core);
    renameSync(begun, folder);
  }
  return described(folder);
}

export const sizeMib = ({ file }: FilledDevice): number => statSync(file).size / 2 ** 20;
