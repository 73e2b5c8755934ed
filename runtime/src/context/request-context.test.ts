import { describe, expect, it } from "@jest/globals";
import { newId, randomToken, sha256Hex } from "./ids.ts";
import { currentRequestId, newRequestId, requestIdOr, withRequestId } from "./request-context.ts";

describe("the request context", () => {
  it("keeps the ids of concurrent requests apart", async () => {
    const seen = await Promise.all(
      ["a", "b", "c"].map((id) =>
        withRequestId(id, async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return currentRequestId();
        }),
      ),
    );
    expect(seen).toEqual(["a", "b", "c"]);
    expect(currentRequestId()).toBeUndefined();
  });

  it("can be left", () => {
    expect(withRequestId("a", () => withRequestId(undefined, currentRequestId))).toBeUndefined();
  });

  it.each([undefined, 5, "", "x".repeat(65), "a b", "a\nb", "é"])("replaces the id %j", (id) => {
    expect(requestIdOr(id, () => "new")).toBe("new");
  });

  it("creates ids that it accepts itself", () => {
    const id = newRequestId();
    expect(requestIdOr(id)).toBe(id);
  });
});

describe("ids", () => {
  it("are UUIDs of version 7 that sort by creation time", () => {
    const ids = Array.from({ length: 1000 }, newId);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(1000);
    expect([...ids].sort()).toEqual(ids);
  });

  it("AU4 a token is 64 hex characters, and no two are alike", () => {
    const tokens = new Set(Array.from({ length: 1000 }, randomToken));
    expect(tokens.size).toBe(1000);
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/);
  });

  it("hash as SHA-256", () => {
    expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
