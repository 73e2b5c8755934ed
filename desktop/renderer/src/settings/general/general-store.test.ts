import { describe, expect, it } from "@jest/globals";
import { createFakeBridge } from "../../testing/fake-bridge.ts";
import { createHandClock } from "../../testing/hand-clock.ts";
import { createGeneralStore } from "./general-store.ts";

describe("the general settings", () => {
  it("say how the device stands", async () => {
    const { bridge } = createFakeBridge({ autoStart: true, secretLevel: "session" });
    const store = createGeneralStore(bridge, createHandClock().wait);
    await store.load();
    expect(store.autoStart.get()).toEqual({ phase: "known", value: true });
    expect(store.secretLevel.get()).toEqual({ phase: "known", value: "session" });
  });

  it("change the automatic start, once at a time", async () => {
    const { bridge, calls } = createFakeBridge({ latency: 1 });
    const store = createGeneralStore(bridge, createHandClock().wait);
    await store.load();
    const setting = store.setAutoStart(true);
    expect(store.autoStartChange.get()).toBe("busy");
    await store.setAutoStart(false);
    await setting;
    expect(store.autoStart.get()).toEqual({ phase: "known", value: true });
    expect(store.autoStartChange.get()).toBe("idle");
    expect(calls.filter((call) => call.startsWith("autoStart.set"))).toEqual(["autoStart.set true"]);
  });

  it("say that the system refused, and what is true", async () => {
    const { bridge } = createFakeBridge({ autoStartRefused: true });
    const store = createGeneralStore(bridge, createHandClock().wait);
    await store.setAutoStart(true);
    expect(store.autoStartChange.get()).toBe("refused");
    expect(store.autoStart.get()).toEqual({ phase: "known", value: false });
  });

  it("say that there was no answer", async () => {
    const clock = createHandClock();
    const { bridge } = createFakeBridge({ silent: ["autoStart.set"] });
    const store = createGeneralStore(bridge, clock.wait);
    const setting = store.setAutoStart(true);
    clock.expire();
    await setting;
    expect(store.autoStartChange.get()).toBe("no-answer");
  });
});
