import { describe, expect, it } from "@jest/globals";
import type { LocalTokenInfo } from "@hearth/bridge";
import { createFakeBridge } from "../../testing/fake-bridge.ts";
import type { FakeBridge, Scenario } from "../../testing/fake-bridge.ts";
import { createHandClock } from "../../testing/hand-clock.ts";
import type { ReadyState } from "./local-api-state.ts";
import { createLocalApiStore } from "./local-api-store.ts";
import type { LocalApiStore } from "./local-api-store.ts";

const token = (id: string): LocalTokenInfo => ({
  id,
  userId: "u",
  username: "mara",
  serverUrl: "https://chat.example.org",
  createdAt: 0,
  lastUsedAt: null,
  expiresAt: 1,
  remoteAddress: "127.0.0.1",
  userAgent: null,
});

async function opened(scenario: Scenario = {}) {
  const clock = createHandClock();
  const fake = createFakeBridge(scenario);
  const store = createLocalApiStore(fake.bridge, clock.wait);
  await store.load();
  return { clock, fake, store };
}

function ready(store: LocalApiStore): ReadyState {
  const state = store.get();
  if (state.phase !== "ready") throw new Error(`The store is ${state.phase}`);
  return state;
}

const lastCall = (fake: FakeBridge): string | undefined => fake.calls.at(-1);

describe("the local API's store", () => {
  it("loads, and shows what the app says", async () => {
    const { store } = await opened({ settings: { enabled: true } });
    expect(ready(store).view.state.urls).toEqual(["http://127.0.0.1:17878"]);
  });

  it("is unreachable when the app gives no answer in time, and can be loaded again", async () => {
    const clock = createHandClock();
    const fake = createFakeBridge({ silent: ["localApi.view"] });
    const store = createLocalApiStore(fake.bridge, clock.wait);
    const loading = store.load();
    expect(store.get().phase).toBe("loading");
    clock.expire();
    await loading;
    expect(store.get().phase).toBe("unreachable");
    fake.setScenario({ silent: [] });
    await store.load();
    expect(store.get().phase).toBe("ready");
  });

  it("is ready when the app speaks first, and stays so when its answer fails", async () => {
    const { wait } = createHandClock();
    const fake = createFakeBridge({ failing: ["localApi.view"] });
    const store = createLocalApiStore(fake.bridge, wait);
    fake.issueToken(token("1"));
    await store.load();
    expect(ready(store).view.tokens).toHaveLength(1);
  });

  it("LA8 shows a change only once the app has made it, and the control as busy until then", async () => {
    const { store } = await opened({ latency: 1 });
    const changing = store.change("enabled", { enabled: true });
    expect(ready(store).view.settings.enabled).toBe(false);
    expect(ready(store).busy).toEqual(new Set(["enabled"]));
    await expect(changing).resolves.toBe(true);
    expect(ready(store).view.settings.enabled).toBe(true);
    expect(ready(store).busy).toEqual(new Set());
  });

  it("takes no second change of a busy control, but one of another", async () => {
    const { store, fake } = await opened({ latency: 1 });
    const first = store.change("enabled", { enabled: true });
    await expect(store.change("enabled", { enabled: false })).resolves.toBe(false);
    await expect(store.change("staticDocsEnabled", { staticDocsEnabled: true })).resolves.toBe(true);
    await first;
    expect(fake.calls.filter((call) => call.startsWith("localApi.change"))).toHaveLength(2);
  });

  it("keeps what the app refused beside its control, until the next change or until it is forgotten", async () => {
    const { store } = await opened();
    await expect(store.change("port", { port: 0 })).resolves.toBe(false);
    expect(ready(store).troubles.get("port")).toEqual({
      kind: "refused",
      message: "A port is a whole number from 1 to 65535.",
    });
    expect(ready(store).view.settings.port).toBe(17_878);
    store.forget("port");
    expect(ready(store).troubles.size).toBe(0);
    await store.change("port", { port: 0 });
    await store.change("port", { port: 18_000 });
    expect(ready(store).troubles.size).toBe(0);
  });

  it("says that there was no answer when a change is never answered, and takes the next one", async () => {
    const { store, fake, clock } = await opened();
    fake.setScenario({ silent: ["localApi.change"] });
    const changing = store.change("enabled", { enabled: true });
    clock.expire();
    await expect(changing).resolves.toBe(false);
    expect(ready(store).troubles.get("enabled")).toEqual({ kind: "no-answer" });
    fake.setScenario({ silent: [] });
    await expect(store.change("enabled", { enabled: true })).resolves.toBe(true);
  });

  it("shows the app's own sentence when it rejects", async () => {
    const { store, fake } = await opened({ tokens: [token("1")] });
    fake.setScenario({ failing: ["localApi.revokeToken"] });
    await expect(store.revoke("1")).resolves.toBe(false);
    const message = "The app has hit an error of its own.";
    expect(ready(store).troubles.get("tokens")).toEqual({ kind: "refused", message });
    expect(ready(store).view.tokens).toHaveLength(1);
  });

  it("LA6 revokes one token, or all", async () => {
    const { store, fake } = await opened({ tokens: [token("1"), token("2"), token("3")] });
    await store.revoke("2");
    expect(ready(store).view.tokens.map(({ id }) => id)).toEqual(["1", "3"]);
    await store.revokeAll();
    expect(ready(store).view.tokens).toEqual([]);
    expect(lastCall(fake)).toBe("localApi.revokeAllTokens");
  });

  it("tells of every view with the one before it, but not of the first", async () => {
    const { store, fake } = await opened();
    const heard: string[] = [];
    const end = store.onView((after, before) => heard.push(`${before.tokens.length} ${after.tokens.length}`));
    fake.issueToken(token("1"));
    fake.issueToken(token("2"));
    end();
    fake.issueToken(token("3"));
    expect(heard).toEqual(["0 1", "1 2"]);
  });
});

describe("opening a document from the window", () => {
  it("enables what it needs", async () => {
    const { store, fake } = await opened();
    await expect(store.open("static-docs")).resolves.toBe(true);
    expect(fake.opened).toEqual(["static-docs"]);
    expect(ready(store).view.settings).toMatchObject({ enabled: true, staticDocsEnabled: true });
  });

  it("says so where the server could not start", async () => {
    const { store, fake } = await opened({ takenPorts: [17_878] });
    await expect(store.open("reference")).resolves.toBe(false);
    expect(fake.opened).toEqual([]);
    expect(ready(store).troubles.get("reference")).toEqual({ kind: "not-opened" });
  });
});
