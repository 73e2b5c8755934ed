import { describe, expect, it } from "@jest/globals";
import { settled } from "../testing/fake-clock.ts";
import { createFakeDevice } from "../testing/fake-device.ts";
import { createFakePlatform } from "../testing/fake-platform.ts";
import { createPreferences } from "./create-preferences.ts";

const KEY = "app.preferences";

describe("preferences", () => {
  it("have defaults", () => {
    expect(createPreferences(createFakePlatform()).state.getState()).toEqual({
      theme: "system",
      density: "comfortable",
      tellsTyping: true,
      notify: "all",
      sound: true,
      mutedServers: [],
      enterSends: true,
      keepAtMost: 2_000_000_000,
    });
  });

  it("survive a reload", () => {
    const platform = createFakePlatform();
    createPreferences(platform).change({ theme: "dark", mutedServers: ["https://a.example"] });
    const { theme, mutedServers, density } = createPreferences(platform.reload()).state.getState();
    expect({ theme, mutedServers, density }).toEqual({
      theme: "dark",
      mutedServers: ["https://a.example"],
      density: "comfortable",
    });
  });

  it("follow the other tabs", async () => {
    const device = createFakeDevice();
    const one = createPreferences(createFakePlatform({ device }));
    const other = createPreferences(createFakePlatform({ device }));
    one.change({ tellsTyping: false });
    await settled();
    expect(other.state.getState().tellsTyping).toBe(false);
    other.change({ sound: false });
    await settled();
    expect(one.state.getState()).toEqual(other.state.getState());
    expect(one.state.getState()).toMatchObject({ tellsTyping: false, sound: false });
  });

  it.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["null", "null"],
  ])("have their defaults if %s is stored", (_, text) => {
    const platform = createFakePlatform();
    platform.local.set(KEY, text);
    expect(createPreferences(platform).state.getState().theme).toBe("system");
  });

  it("lose only a malformed setting", () => {
    const platform = createFakePlatform();
    platform.local.set(KEY, JSON.stringify({ theme: "pink", sound: false, mutedServers: [7], later: 1 }));
    expect(createPreferences(platform).state.getState()).toMatchObject({
      theme: "system",
      sound: false,
      mutedServers: [],
    });
  });

  it("apply even if they cannot be stored", () => {
    const platform = createFakePlatform();
    platform.local.isFull = true;
    const preferences = createPreferences(platform);
    preferences.change({ density: "compact" });
    expect(preferences.state.getState().density).toBe("compact");
  });
});
