import { describe, expect, it } from "@jest/globals";
import { hkdfSync } from "node:crypto";
import { createFakeDevice } from "../testing/fake-device.ts";
import { createFakePlatform } from "../testing/fake-platform.ts";
import type { FakePlatform } from "../testing/fake-platform.ts";
import { createProvisionSecret } from "./provision-secret.ts";

const HOME = "01900000-0000-7000-8000-000000000001";
const B = "https://b.example";

const passwordOf = async (platform: FakePlatform, url = B, home = HOME): Promise<string> => {
  const password = createProvisionSecret(platform).passwordFor(url, home);
  await platform.clock.advance(1_000);
  return password;
};

describe("the provision secret", () => {
  it("CL1 is 32 random bytes, created once and kept in the secure storage", async () => {
    const secrets = new Map<string, string>();
    const platform = createFakePlatform({ secrets, secretLevel: "protected" });
    const secret = createProvisionSecret(platform);
    const made = Promise.all([secret.ensure(), secret.ensure()]);
    await platform.clock.advance(1_000);
    await made;
    const [[name, text] = []] = [...secrets];
    expect([name, Buffer.from(text ?? "", "base64url").length]).toEqual(["provision-secret", 32]);
    await secret.ensure();
    expect([...secrets.values()]).toEqual([text]);
    expect([...platform.local.entries, ...platform.session.entries]).toEqual([]);
  });

  it("CL1 derives the password by HKDF-SHA256 over the instance's URL", async () => {
    const secrets = new Map<string, string>();
    const password = await passwordOf(createFakePlatform({ secrets }));
    const key = Buffer.from(secrets.get("provision-secret") ?? "", "base64url");
    const derived = hkdfSync("sha256", key, HOME, B, 32);
    expect(password).toBe(Buffer.from(derived).toString("base64url"));
    expect(password).toHaveLength(43);
  });

  it("CL1 derives different passwords per instance, account and install, and always the same one again", async () => {
    const platform = createFakePlatform();
    const passwords = [
      await passwordOf(platform),
      await passwordOf(platform, "https://c.example"),
      await passwordOf(platform, "http://b.example"),
      await passwordOf(platform, B, "another"),
      await passwordOf(createFakePlatform()),
    ];
    expect(new Set(passwords).size).toBe(5);
    expect(await passwordOf(platform)).toBe(passwords[0]);
  });

  it("CL1 is shared with a new tab while a tab that has it is open", async () => {
    const device = createFakeDevice();
    const first = createFakePlatform({ device });
    const kept = createProvisionSecret(first);
    const password = kept.passwordFor(B, HOME);
    await first.clock.advance(1_000);
    const second = createFakePlatform({ device });
    expect(await passwordOf(second)).toBe(await password);
    first.leave();
    second.leave();
    expect(await passwordOf(createFakePlatform({ device }))).not.toBe(await password);
  });

  it("CL1 outlives the tab that created it in a tab that was open at the same time", async () => {
    const device = createFakeDevice();
    const [first, second] = [createFakePlatform({ device }), createFakePlatform({ device })];
    const password = createProvisionSecret(first).passwordFor(B, HOME);
    await first.clock.advance(1_000);
    const adopted = createProvisionSecret(second).adopt();
    await first.clock.advance(1_000);
    await adopted;
    first.leave();
    expect(await passwordOf(second)).toBe(await password);
  });

  it("CL1 is not created by a tab that only looks for it", async () => {
    const platform = createFakePlatform();
    const adopted = createProvisionSecret(platform).adopt();
    await platform.clock.advance(1_000);
    await adopted;
    expect([...platform.session.entries]).toEqual([]);
  });

  it.each(["", "short", "%".repeat(43), "x".repeat(44)])("is replaced if damaged: %j", async (text) => {
    const secrets = new Map([["provision-secret", text]]);
    await passwordOf(createFakePlatform({ secrets }));
    expect(secrets.get("provision-secret")).toMatch(/^[\w-]{43}$/);
  });

  it("is not used if it could not be stored", async () => {
    const platform = createFakePlatform();
    platform.secrets.set = async () => {
      throw new Error("no");
    };
    const failed = expect(createProvisionSecret(platform).passwordFor(B, HOME)).rejects.toMatchObject({
      code: "STORAGE_FAILED",
    });
    await platform.clock.advance(1_000);
    await failed;
  });
});
