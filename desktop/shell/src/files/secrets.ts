import { errorCode } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import { z } from "zod";
import type { SecretLevel } from "@hearth/bridge";
import type { JsonFile } from "./json-file.ts";
import type { SecretPort } from "../ports.ts";

/**
 * Secrets on disk, encrypted by the operating system. Without such protection they stay in memory until the app
 * quits, and the level says so.
 */
export interface Secrets {
  level(): Promise<SecretLevel>;
  get(name: string): Promise<string | null>;
  /** Resolves to how this secret is stored. */
  set(name: string, value: string): Promise<SecretLevel>;
  remove(name: string): Promise<void>;
}

/** Encrypted values by name; a list, because a name could be `__proto__`. */
export const secretFileSchema = z.array(z.tuple([z.string(), z.base64()]));

export interface SecretsOptions {
  readonly port: SecretPort;
  readonly file: JsonFile<[string, string][]>;
  readonly log: Log;
}

class KeptSecrets implements Secrets {
  readonly #options: SecretsOptions;
  readonly #session = new Map<string, string>();
  #stored: Promise<Map<string, string>> | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: SecretsOptions) {
    this.#options = options;
  }

  async level(): Promise<SecretLevel> {
    return (await this.#options.port.isProtected()) ? "protected" : "session";
  }

  get(name: string): Promise<string | null> {
    return this.#next(async () => this.#session.get(name) ?? (await this.#read(name)));
  }

  set(name: string, value: string): Promise<SecretLevel> {
    return this.#next(async () => {
      if ((await this.level()) === "protected" && (await this.#protect(name, value))) return "protected";
      this.#session.set(name, value);
      // Otherwise an older value would return on the next start.
      await this.#forget(name);
      return "session";
    });
  }

  remove(name: string): Promise<void> {
    return this.#next(async () => {
      this.#session.delete(name);
      await this.#change((values) => values.delete(name));
    });
  }

  async #forget(name: string): Promise<void> {
    const { log } = this.#options;
    await this.#change((values) => values.delete(name)).catch((error: unknown) => {
      log.error({ entry: name, code: errorCode(error) }, "old secret not removed");
    });
  }

  async #read(name: string): Promise<string | null> {
    const { port, log } = this.#options;
    const values = await this.#values().catch((error: unknown) => {
      log.error({ entry: name, code: errorCode(error) }, "stored secrets unreadable");
    });
    const encrypted = values?.get(name);
    if (encrypted === undefined || !(await port.isProtected())) return null;
    try {
      const { text, isOutdated } = await port.decrypt(Buffer.from(encrypted, "base64"));
      if (isOutdated) await this.#protect(name, text);
      return text;
    } catch {
      // The cause may quote what could not be decrypted, so it is not logged.
      log.warn({ entry: name }, "stored secret not decryptable with this keyring");
      return null;
    }
  }

  /** False if it could not be written to disk. */
  async #protect(name: string, value: string): Promise<boolean> {
    const { port, log } = this.#options;
    try {
      const encrypted = (await port.encrypt(value)).toString("base64");
      await this.#change((values) => values.set(name, encrypted));
      this.#session.delete(name);
      return true;
    } catch (error) {
      log.error({ entry: name, code: errorCode(error) }, "secret not stored");
      return false;
    }
  }

  /**
   * Retried on the next call if the file could not be read: writing without knowing its content would lose all
   * others.
   */
  #values(): Promise<Map<string, string>> {
    this.#stored ??= this.#options.file.read().then(
      (entries) => new Map(entries ?? []),
      (error: unknown) => {
        this.#stored = undefined;
        throw error;
      },
    );
    return this.#stored;
  }

  async #change(change: (values: Map<string, string>) => unknown): Promise<void> {
    const values = new Map(await this.#values());
    if (change(values) === false) return;
    await this.#options.file.write([...values]);
    this.#stored = Promise.resolve(values);
  }

  /** Runs calls one after the other, so that the last one wins whichever is encrypted sooner. */
  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}

export const createSecrets = (options: SecretsOptions): Secrets => new KeptSecrets(options);
