import { readFile, rename } from "node:fs/promises";
import { basename } from "node:path";
import { ProblemError } from "@hearth/contracts";
import { errorCode, systemClock } from "@hearth/runtime";
import type { Clock, Log } from "@hearth/runtime";
import { DEFAULT_LOCAL_API_SETTINGS } from "@hearth/device";
import type { LocalApiSettings } from "@hearth/device";
import { replaceFile } from "./replace-file.ts";
import { storedSettings } from "@hearth/device";
import type { LoadedSettings, SettingsStore } from "./settings-store.ts";

export interface SettingsFileOptions {
  /** The path of the JSON file. Its folder is created on the first save. */
  readonly file: string;
  readonly log: Log;
  readonly clock?: Clock;
}

const nothing = (trouble: string | null): LoadedSettings => ({
  settings: DEFAULT_LOCAL_API_SETTINGS,
  issues: [],
  trouble,
});

function recordOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return value as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

class SettingsFile implements SettingsStore {
  readonly #file: string;
  readonly #log: Log;
  readonly #clock: Clock;
  #unknown: Readonly<Record<string, unknown>> = {};
  /** True while a save would silently destroy the file's content. */
  #precious = false;
  #saving: Promise<void> = Promise.resolve();

  constructor({ file, log, clock = systemClock }: SettingsFileOptions) {
    this.#file = file;
    this.#log = log;
    this.#clock = clock;
  }

  async load(): Promise<LoadedSettings> {
    const name = basename(this.#file);
    let text: string;
    try {
      text = await readFile(this.#file, "utf8");
    } catch (error) {
      if (errorCode(error) === "ENOENT") return nothing(null);
      this.#precious = true;
      this.#log.error({ err: error }, "settings file unreadable");
      return nothing(`The settings file ${name} cannot be read (${errorCode(error) ?? "unknown error"}).`);
    }
    const record = recordOf(text);
    if (record) return this.#check(name, record);
    this.#precious = true;
    const kept = await this.#putAside().catch(() => undefined);
    this.#log.error({ kept }, "settings file is not a JSON object, moved aside");
    const where = kept === undefined ? "it was left where it is" : `it was kept as ${kept}`;
    return nothing(`The settings file ${name} is damaged; ${where}, and all settings are at their defaults.`);
  }

  save(settings: LocalApiSettings): Promise<void> {
    const saved = this.#saving.then(() => this.#write(settings));
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  #check(name: string, record: Readonly<Record<string, unknown>>): LoadedSettings {
    const { settings, issues, unknown } = storedSettings(record);
    this.#unknown = unknown;
    this.#precious = issues.length > 0;
    const names = Object.keys(unknown);
    if (names.length > 0) this.#log.warn({ names }, "unknown settings in the settings file");
    if (issues.length === 0) return { settings, issues, trouble: null };
    this.#log.error({ issues }, "invalid settings in the settings file");
    const problems = issues.map(({ path, message }) => `${path}: ${message}`).join(" ");
    const trouble = `The settings file ${name} is not valid: ${problems} The local API stays off until you correct it.`;
    return { settings, issues, trouble };
  }

  async #write(settings: LocalApiSettings): Promise<void> {
    try {
      if (this.#precious) await this.#putAside();
      await replaceFile(this.#file, `${JSON.stringify({ ...this.#unknown, ...settings }, null, 2)}\n`);
    } catch (error) {
      this.#log.error({ err: error }, "settings not saved");
      const reason = errorCode(error) ?? "unknown error";
      throw new ProblemError("UNAVAILABLE", `The settings could not be saved (${reason}).`);
    }
  }

  async #putAside(): Promise<string> {
    const kept = `${this.#file}.broken-${this.#clock.now()}`;
    await rename(this.#file, kept).catch((error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
    });
    this.#precious = false;
    return basename(kept);
  }
}

/** Settings in a JSON file that only its owner may read, replaced atomically. */
export const createSettingsFile = (options: SettingsFileOptions): SettingsStore => new SettingsFile(options);
