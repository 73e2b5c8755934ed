import { createLog } from "@hearth/runtime";
import { beforeEach, describe, expect, it } from "@jest/globals";
import type { JsonFile } from "./json-file.ts";
import type { SecretPort } from "../ports.ts";
import { createSecrets } from "./secrets.ts";
import type { Secrets } from "./secrets.ts";

const PLAIN = "marker-secret";

let isProtected: boolean;
let keyring: string;
let failing: boolean;
let unreadable: boolean;
let delays: number[];
let disk: [string, string][] | undefined;
let lines: string[];

const port: SecretPort = {
  isProtected: async () => isProtected,
  async encrypt(text) {
    const delay = delays.shift() ?? 0;
    for (let turn = 0; turn < delay; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return Buffer.from(`${keyring}:${text}`);
  },
  async decrypt(encrypted) {
    const [key, text = ""] = encrypted.toString().split(":");
    if (key !== keyring && key !== "old") throw new Error(`cannot decrypt ${text}`);
    return { text, isOutdated: key === "old" };
  },
};

const file: JsonFile<[string, string][]> = {
  async read() {
    if (unreadable) throw Object.assign(new Error("too many files"), { code: "EMFILE" });
    return disk;
  },
  async write(value) {
    if (failing) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    disk = structuredClone(value);
  },
};

const opened = (): Secrets =>
  createSecrets({
    port,
    file,
    log: createLog({ name: "test", destination: { write: (line) => void lines.push(line) } }),
  });

beforeEach(() => {
  isProtected = true;
  keyring = "key";
  failing = false;
  unreadable = false;
  delays = [];
  disk = undefined;
  lines = [];
});

describe("secrets", () => {
  it("survive a restart if the system protects them", async () => {
    expect(await opened().set("a", PLAIN)).toBe("protected");
    expect(await opened().get("a")).toBe(PLAIN);
    await opened().remove("a");
    expect(await opened().get("a")).toBeNull();
  });

  it("keep the last of two calls, whichever is encrypted sooner", async () => {
    const secrets = opened();
    delays = [5, 0];
    await Promise.all([secrets.set("a", "first"), secrets.set("a", "second")]);
    expect(await opened().get("a")).toBe("second");
    delays = [5];
    await Promise.all([secrets.set("a", "third"), secrets.remove("a")]);
    expect(await opened().get("a")).toBeNull();
  });

  it("last for the session if nothing protects them, and never reach the disk", async () => {
    isProtected = false;
    const secrets = opened();
    expect(await secrets.set("a", PLAIN)).toBe("session");
    expect(await secrets.get("a")).toBe(PLAIN);
    expect(disk).toBeUndefined();
    expect(await opened().get("a")).toBeNull();
  });

  it("are still there when the keyring is back", async () => {
    await opened().set("a", PLAIN);
    isProtected = false;
    expect(await opened().get("a")).toBeNull();
    isProtected = true;
    expect(await opened().get("a")).toBe(PLAIN);
  });

  it("last for the session when the disk is full, and the level says so", async () => {
    failing = true;
    const secrets = opened();
    expect(await secrets.set("a", PLAIN)).toBe("session");
    expect(await secrets.get("a")).toBe(PLAIN);
    failing = false;
    expect(await secrets.set("a", "newer")).toBe("protected");
    expect(await opened().get("a")).toBe("newer");
  });

  it("survive a moment in which their file cannot be read", async () => {
    await opened().set("a", PLAIN);
    unreadable = true;
    const secrets = opened();
    expect(await secrets.get("a")).toBeNull();
    expect(await secrets.set("b", PLAIN)).toBe("session");
    await expect(secrets.remove("a")).rejects.toThrow("too many files");
    unreadable = false;
    expect(await secrets.set("c", PLAIN)).toBe("protected");
    expect(await Promise.all(["a", "b", "c"].map((name) => secrets.get(name)))).toEqual([
      PLAIN,
      PLAIN,
      PLAIN,
    ]);
    expect(lines.join()).toContain("EMFILE");
  });

  it("do not return to an older value", async () => {
    await opened().set("a", "older");
    isProtected = false;
    expect(await opened().set("a", PLAIN)).toBe("session");
    isProtected = true;
    expect(await opened().get("a")).toBeNull();
  });

  it("cannot be read with another keyring, which is logged without them and harms nothing", async () => {
    await opened().set("a", PLAIN);
    keyring = "another";
    expect(await opened().get("a")).toBeNull();
    expect(lines.join()).toContain("not decryptable with this keyring");
    expect(lines.join()).not.toContain(PLAIN);
    keyring = "key";
    expect(await opened().get("a")).toBe(PLAIN);
  });

  it("are encrypted again if their key is outdated", async () => {
    disk = [["a", Buffer.from(`old:${PLAIN}`).toString("base64")]];
    expect(await opened().get("a")).toBe(PLAIN);
    expect(Buffer.from(disk[0]?.[1] ?? "", "base64").toString()).toBe(`key:${PLAIN}`);
  });
});
