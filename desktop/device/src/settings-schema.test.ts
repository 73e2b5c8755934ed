import { describe, expect, it } from "@jest/globals";
import { DEFAULT_LOCAL_API_SETTINGS } from "./local-api-settings.ts";
import { changedSettings, settingsSchema, storedSettings } from "./settings-schema.ts";

const issuePaths = (change: unknown): readonly string[] => {
  const changed = changedSettings(DEFAULT_LOCAL_API_SETTINGS, change);
  return changed.ok ? [] : changed.issues.map(({ path }) => path);
};

describe("settings of the local API", () => {
  it("LA8 the defaults are valid, off, and on the loopback address", () => {
    expect(settingsSchema.parse(DEFAULT_LOCAL_API_SETTINGS)).toEqual({
      enabled: false,
      port: 17_878,
      exposeOnLan: false,
      referenceDocsEnabled: false,
      staticDocsEnabled: false,
      allowedSignalingServers: [],
    });
  });

  it.each([0, -1, 70_000, 65_536, 1.5, Number.NaN, "17878", "17878abc", null, undefined])(
    "LA8 C7 port %p is refused by its name, in a sentence",
    (port) => {
      expect(changedSettings(DEFAULT_LOCAL_API_SETTINGS, { port })).toEqual({
        ok: false,
        issues: [{ path: "port", message: "A port is a whole number from 1 to 65535." }],
      });
    },
  );

  it.each(["enabled", "exposeOnLan", "referenceDocsEnabled", "staticDocsEnabled"])(
    'LA8 C11 %s is a boolean, and "false" is none',
    (name) => {
      for (const value of ["false", "", 0, 1, null, undefined, []]) {
        expect(issuePaths({ [name]: value })).toEqual([name]);
      }
    },
  );

  it("LA5 C9 the allowed list is normalised, without duplicates, in its order", () => {
    const changed = changedSettings(DEFAULT_LOCAL_API_SETTINGS, {
      allowedSignalingServers: [
        "https://b.example/",
        "HTTP://A.example:80",
        "https://B.example:443",
        "http://a.example",
      ],
    });
    expect(changed).toMatchObject({
      ok: true,
      settings: { allowedSignalingServers: ["https://b.example", "http://a.example"] },
    });
  });

  it("LA5 C9 every malformed entry of the allowed list is named by its index", () => {
    expect(
      issuePaths({
        allowedSignalingServers: ["http://ok.example", "http://u:p@ok.example", 7, "ws://ok.example"],
      }),
    ).toEqual(["allowedSignalingServers.1", "allowedSignalingServers.2", "allowedSignalingServers.3"]);
  });

  it.each(["http://ok.example", { 0: "http://ok.example" }, null, 1])(
    "LA5 C9 an allowed list that is no list is refused: %p",
    (allowedSignalingServers) => {
      expect(issuePaths({ allowedSignalingServers })).toEqual(["allowedSignalingServers"]);
    },
  );

  it("LA8 an unknown setting is refused, and prototypes stay clean", () => {
    expect(issuePaths({ ports: 1, port: 0 }).toSorted()).toEqual(["port", "ports"]);
    expect(issuePaths(JSON.parse('{"__proto__":{"enabled":true}}'))).toEqual(["__proto__"]);
    expect(issuePaths("port")).toEqual([""]);
    expect(issuePaths([])).toEqual([""]);
    expect(issuePaths(null)).toEqual([""]);
    expect(Object.hasOwn(Object.prototype, "enabled")).toBe(false);
  });

  it("LA8 C11 valid stored settings are kept, malformed ones named, and the server stays off", () => {
    expect(storedSettings({ enabled: true, port: "5000", exposeOnLan: true, colour: "red" })).toEqual({
      settings: { ...DEFAULT_LOCAL_API_SETTINGS, enabled: false, exposeOnLan: true },
      issues: [{ path: "port", message: "A port is a whole number from 1 to 65535." }],
      unknown: { colour: "red" },
    });
  });
});
