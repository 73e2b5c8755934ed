import { errorCode } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import { z } from "zod";
import type { SecretLevel } from "@hearth/bridge";
import type { JsonFile } from "./json-file.ts";
import type { SecretPort } from "../ports.ts";

/**
 * Secrets, encrypted by the operating system on disk. Where it protects nothing they live in memory and end with the
 * app, and the level says so; that is never a reason to refuse one.
 */
export interface Secrets {
  level(): Promise<SecretLevel>;
  get(name: string): Promise<string | null>;
  /** Resolves to how well this one is kept. */
  set(name: string, value: string): Promise<SecretLevel>;
  remove(name: string): Promise<void>;
}

/** Encrypted values by their names; a list, because a name could be `__proto__`. */
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
      // Else an older one would be back with the next start.
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
      log.error({ entry: name, code: errorCode(error) }, "an older secret could not be removed");
    });
  }

  async #read(name: string): Promise<string | null> {
    const { port, log } = this.#options;
    const values = await this.#values().catch((error: unknown) => {
      log.error({ entry: name, code: errorCode(error) }, "the stored secrets cannot be read");
    });
    const encrypted = values?.get(name);
    if (encrypted === undefined || !(await port.isProtected())) return null;
    try {
      const { text, isOutdated } = await port.decrypt(Buffer.from(encrypted, "base64"));
      if (isOutdated) await this.#protect(name, text);
      return text;
    } catch {
      // The cause may quote what could not be decrypted, so it is not logged.
      log.warn({ entry: name }, "a stored secret cannot be read with this keyring");
      return null;
    }
  }

  /** False when it could not be kept on disk. */
  async #protect(name: string, value: string): Promise<boolean> {
    const { port, log } = this.#options;
    try {
      const encrypted = (await port.encrypt(value)).toString("base64");
      await this.#change((values) => values.set(name, encrypted));
      this.#session.delete(name);
      return true;
    } catch (error) {
      log.error({ entry: name, code: errorCode(error) }, "a secret could not be stored");
      return false;
    }
  }

  /** Read again at the next call where the file could not be read: writing what is not known would end all others. */
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

  /** One after the other, so that the last of two calls wins whichever is encrypted sooner. */
  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}

export const createSecrets = (options: SecretsOptions): Secrets => new KeptSecrets(options);
