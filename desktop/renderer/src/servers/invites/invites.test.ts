import { describe, expect, it } from "@jest/globals";
import { forgetInvite, madeInvites, rememberInvite } from "./invites.ts";

const invite = (code: string) => ({ code, createdAt: 1, expiresAt: null, maxUses: 10 });

function store(stored: Readonly<Record<string, string>> = {}) {
  const meta = new Map(Object.entries(stored));
  return {
    meta,
    port: {
      meta: async (key: string) => meta.get(key),
      setMeta: async (key: string, value: string) => void meta.set(key, value),
      removeMeta: async (key: string) => void meta.delete(key),
    },
  };
}

describe("invites made on this device", () => {
  it("are remembered by room, the newest first and each once, until they are revoked", async () => {
    const { port, meta } = store();
    for (const code of ["aaaaaa", "bbbbbb", "aaaaaa"]) await rememberInvite(port, "r", invite(code));
    await rememberInvite(port, "other", invite("cccccc"));
    expect((await madeInvites(port, "r")).map(({ code }) => code)).toEqual(["aaaaaa", "bbbbbb"]);
    await forgetInvite(port, "r", "aaaaaa");
    await forgetInvite(port, "r", "bbbbbb");
    expect(await madeInvites(port, "r")).toEqual([]);
    expect([...meta.keys()]).toEqual(["invites:other"]);
  });

  it("are bounded, and damaged ones are forgotten", async () => {
    const { port } = store({ "invites:r": "[{]" });
    expect(await madeInvites(port, "r")).toEqual([]);
    for (let index = 0; index < 60; index += 1) await rememberInvite(port, "r", invite(`code${index}`));
    expect(await madeInvites(port, "r")).toHaveLength(50);
  });
});
