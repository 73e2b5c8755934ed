import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "@jest/globals";
import * as bcrypt from "bcrypt";
import { ObservedBcrypt } from "../../testing/service.ts";
import { parsePasswordHash } from "./password-format.ts";
import { createPasswords } from "./passwords.ts";
import type { Passwords } from "./passwords.ts";

const COST = 6;
const sha256Hex = (text: string): string => createHash("sha256").update(text).digest("hex");
const costOf = (hash: string): number => Number(hash.slice(4, 6));

let counting: ObservedBcrypt;
let passwords: Passwords;

beforeEach(() => {
  counting = new ObservedBcrypt();
  passwords = createPasswords(COST, counting);
});

/** The hashes an account may have, all of the password `correct horse`. */
const stored = {
  current: () => createPasswords(COST).hash("correct horse"),
  cheaper: () => createPasswords(4).hash("correct horse"),
  "plain bcrypt": () => bcrypt.hash("correct horse", COST),
  "cheaper plain bcrypt": () => bcrypt.hash("correct horse", 4),
  "plain $2y$ bcrypt": async () => (await bcrypt.hash("correct horse", 4)).replace("$2b$", "$2y$"),
  "plain $2a$ bcrypt": async () => bcrypt.hash("correct horse", await bcrypt.genSalt(4, "a")),
  "unsalted SHA-256": async () => sha256Hex("correct horse"),
  "unsalted SHA-256 in upper case": async () => sha256Hex("correct horse").toUpperCase(),
};

describe("passwords", () => {
  it("AU3 a new hash is bcrypt over base64(SHA-256(password)) at the configured cost, under a tag", async () => {
    const hash = await passwords.hash("correct horse");
    const [tag, inner = ""] = hash.split(":");
    expect(tag).toBe("bcrypt-sha256");
    expect(costOf(inner)).toBe(COST);
    const digest = createHash("sha256").update("correct horse").digest("base64");
    expect(await bcrypt.compare(digest, inner)).toBe(true);
    expect(await passwords.verify("correct horse", hash)).toBe("right");
  });

  it("AU3 nothing after byte 72 is ignored (R7)", async () => {
    for (const long of ["x".repeat(72), "é".repeat(36), "x".repeat(1000)]) {
      const hash = await passwords.hash(`${long}A`);
      expect(await passwords.verify(`${long}A`, hash)).toBe("right");
      expect(await passwords.verify(`${long}B`, hash)).toBe("wrong");
      expect(await passwords.verify(long, hash)).toBe("wrong");
    }
  });

  it("AU3 a NUL in a password is an ordinary character (R8)", async () => {
    const hash = await passwords.hash("secret\0one");
    expect(await passwords.verify("secret\0two", hash)).toBe("wrong");
    expect(await passwords.verify("secret", hash)).toBe("wrong");
    expect(await passwords.verify("secret\0one", hash)).toBe("right");
  });

  it("AU2 two Unicode spellings of one password are the same", async () => {
    const hash = await passwords.hash("caf\u00e9 au lait");
    expect(await passwords.verify("cafe\u0301 au lait", hash)).toBe("right");
  });

  it.each(Object.entries(stored))(
    "AU3 distinguishes the right password from a wrong one: %s",
    async (name, make) => {
      const hash = await make();
      expect(await passwords.verify("correct horse", hash)).toBe(name === "current" ? "right" : "stale");
      expect(await passwords.verify("correct hors", hash)).toBe("wrong");
      expect(await passwords.verify("", hash)).toBe("wrong");
    },
  );

  it("AU3 a hash with a higher cost than configured stays unchanged", async () => {
    const dearer = await createPasswords(COST + 1).hash("correct horse");
    expect(await passwords.verify("correct horse", dearer)).toBe("right");
  });

  it.each([...Object.entries(stored), ["no account", async () => null], ["a broken hash", async () => "?"]])(
    "AU3 a wrong password costs the same whatever is stored (S5): %s",
    async (_name, make) => {
      await passwords.verify("wrong password", await make());
      expect(counting.rounds).toBe(2 ** COST);
    },
  );

  it("AU3 an unknown user costs exactly the one comparison of a wrong password (S5)", async () => {
    await passwords.verify("wrong password", null);
    expect(counting.calls).toBe(1);
  });

  it("AU3 the stand-in for a missing hash matches no password, not even an empty one", async () => {
    for (const password of ["", "password", "correct horse"])
      expect(await passwords.verify(password, null)).toBe("wrong");
  });

  it.each([
    ["an empty text", ""],
    ["half a digest", "ab".repeat(31)],
    ["an unknown bcrypt", `$2x$10$${"a".repeat(53)}`],
    ["a bcrypt that is cut off", `$2b$10$${"a".repeat(52)}`],
    ["a bcrypt of cost 31, which would hold a core for hours", `$2b$31$${"a".repeat(53)}`],
    ["a bcrypt of cost 3", `$2b$03$${"a".repeat(53)}`],
    ["a tag with nothing behind", "bcrypt-sha256:"],
    ["a tag with an unsalted digest behind", `bcrypt-sha256:${"ab".repeat(32)}`],
    ["a line break behind the hash", `$2b$10$${"a".repeat(53)}\n`],
  ])("AU3 is of no known format: %s", (_name, text) => {
    expect(parsePasswordHash(text)).toBeNull();
  });
});
