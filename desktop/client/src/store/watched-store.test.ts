import { beforeEach, describe, expect, it } from "@jest/globals";
import { aRoom } from "@hearth/store/testing";
import type { ClientStore } from "@hearth/store";
import { ClientProblem } from "@hearth/device";
import type { ClientProblemCode } from "@hearth/device";
import { openFakeStore } from "@hearth/store/testing";
import { watchStore } from "./watched-store.ts";
import type { WatchedStore } from "./watched-store.ts";

describe("storage trouble", () => {
  let broken: Partial<Record<keyof ClientStore, ClientProblemCode>>;
  let watched: WatchedStore;
  let seen: unknown[];
  const trouble = (): unknown => watched.state.getState().trouble;

  beforeEach(async () => {
    broken = {};
    seen = [];
    const store = await openFakeStore(() => 1_000);
    watched = watchStore(
      new Proxy(store, {
        get(target, name: keyof ClientStore) {
          const code = broken[name];
          if (code === undefined) return Reflect.get(target, name) as unknown;
          return async () => {
            throw new ClientProblem(code);
          };
        },
      }),
    );
    watched.state.subscribe((now) => void seen.push(now.trouble));
  });

  it("is not reported while every call succeeds; calls are passed through", async () => {
    await watched.store.saveRooms([aRoom()]);
    expect(await watched.store.rooms()).toEqual([aRoom()]);
    expect(seen).toEqual([]);
  });

  it("is reported once when the storage is full, and cleared by a successful write", async () => {
    broken = { setMeta: "STORAGE_FULL" };
    await expect(watched.store.setMeta("a", "b")).rejects.toMatchObject({ code: "STORAGE_FULL" });
    await expect(watched.store.setMeta("a", "b")).rejects.toMatchObject({ code: "STORAGE_FULL" });
    await watched.store.rooms();
    expect(trouble()).toBe("STORAGE_FULL");
    await watched.store.saveRooms([aRoom()]);
    expect([trouble(), seen]).toEqual([null, ["STORAGE_FULL", null]]);
  });

  it("of reading ends when reading succeeds", async () => {
    broken = { rooms: "STORAGE_FAILED" };
    await expect(watched.store.rooms()).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    expect(trouble()).toBe("STORAGE_FAILED");
    broken = {};
    await watched.store.rooms();
    expect(trouble()).toBeNull();
  });

  it("of writing stays while only reading works, whichever failed first", async () => {
    broken = { rooms: "STORAGE_FAILED", setMeta: "STORAGE_FAILED" };
    await expect(watched.store.rooms()).rejects.toThrow();
    await expect(watched.store.setMeta("a", "b")).rejects.toThrow();
    broken = { setMeta: "STORAGE_FAILED" };
    await watched.store.rooms();
    expect(trouble()).toBe("STORAGE_FAILED");
  });

  it("is not a refusal of invalid input", async () => {
    broken = { setMeta: "INVALID_REQUEST" };
    await expect(watched.store.setMeta("a", "b")).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect(seen).toEqual([]);
  });
});
