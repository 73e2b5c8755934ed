import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError, authSubjects, healthSubject } from "@hearth/contracts";
import { createMemoryBus, createMemoryLimiters, createMetrics, silentLog } from "@hearth/runtime";
import type { Bus, ServiceModule } from "@hearth/runtime";
import { manualClock, recordedLog, until } from "@hearth/runtime/testing";
import { refusalOf, startAuth, testConfig } from "./testing/service.ts";
import { createAuthService } from "./service.ts";
import { createSqliteAuthStore } from "./store/sqlite/store.sqlite.ts";
import type { AuthStore } from "./domain/store.ts";
import type { UseNote } from "./domain/records.ts";

describe("auth-service as a module", () => {
  let bus: Bus;
  let store: AuthStore;
  let service: ServiceModule;
  beforeEach(() => {
    bus = createMemoryBus({ log: silentLog });
    store = createSqliteAuthStore({ file: ":memory:", log: silentLog });
    const limiters = createMemoryLimiters();
    const metrics = createMetrics({ process: false });
    service = createAuthService({ store, bus, limiters, log: silentLog, metrics, config: testConfig });
  });
  afterEach(() => bus.close());

  const health = () => bus.request(healthSubject("auth"), {});

  it("GW1 is ready between start and stop, and answers nothing before and after", async () => {
    expect(service.ready()).toBe(false);
    expect(await refusalOf(health())).toBe("UNAVAILABLE");
    await service.start();
    expect(service.ready()).toBe(true);
    expect(await health()).toEqual({ ready: true });
    await service.stop();
    expect(service.ready()).toBe(false);
    expect(await refusalOf(health())).toBe("UNAVAILABLE");
    expect(store.ready()).toBe(false);
  });

  it("GW1 is not ready while its store is closed", async () => {
    await service.start();
    await store.close();
    expect(await health()).toEqual({ ready: false });
    await service.stop();
  });
});

describe("housekeeping", () => {
  it("ER6 survives a store that is away, logs it once, and continues when it is back", async () => {
    const { log, records } = recordedLog();
    const store = createSqliteAuthStore({ file: ":memory:", log: silentLog });
    const expire = store.expireSessions.bind(store);
    let asked = 0;
    store.expireSessions = () => {
      asked += 1;
      return Promise.reject(new ProblemError("UNAVAILABLE"));
    };
    const auth = await startAuth({ store, log });
    const { token } = await auth.register("ada");
    await until(() => asked >= 3);
    expect(records().filter(({ msg }) => String(msg).startsWith("housekeeping failed"))).toHaveLength(1);
    auth.clock.advance(testConfig.sessionTtlMs);
    store.expireSessions = expire;
    await until(() => auth.ended.length > 0);
    expect(await refusalOf(auth.jwtOf(token))).toBe("AUTH_INVALID expired");
    await auth.stop();
  });

  it("AU5 the last uses of many sessions are written at once", async () => {
    const store = createSqliteAuthStore({ file: ":memory:", log: silentLog });
    const batches: (readonly UseNote[])[] = [];
    const noteUses = store.noteUses.bind(store);
    store.noteUses = (notes) => {
      batches.push(notes);
      return noteUses(notes);
    };
    const clock = manualClock();
    const auth = await startAuth({ store, clock });
    const tokens = [(await auth.register("ada")).token];
    for (let n = 0; n < 30; n += 1) tokens.push((await auth.login("ada")).body.token);
    clock.advance(3_600_000);
    const verifyAll = () =>
      Promise.all(tokens.map((token) => auth.bus.request(authSubjects.verify, { token })));
    await Promise.all([verifyAll(), verifyAll()]);
    await until(() => batches.length > 0);
    await verifyAll();
    await auth.stop();
    expect(batches.map((batch) => batch.length)).toEqual([tokens.length]);
  });

  it("AU5 the last notes are written when the service stops", async () => {
    const store = createSqliteAuthStore({ file: ":memory:", log: silentLog });
    const noted: string[] = [];
    store.noteUses = async (notes) => void noted.push(...notes.map(({ deviceName }) => deviceName ?? ""));
    const auth = await startAuth({ store });
    const { token } = await auth.register("ada");
    await auth.bus.request(authSubjects.verify, { token, deviceName: "laptop" });
    await auth.stop();
    expect(noted).toEqual(["laptop"]);
  });
});
