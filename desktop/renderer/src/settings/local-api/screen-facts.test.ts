import { describe, expect, it } from "@jest/globals";
import type { LocalApiView } from "@hearth/bridge";
import { strings } from "../../strings/strings.ts";
import { stateAnnouncement } from "./announcements.ts";
import { examplesFor } from "./examples.ts";
import { exposureOf } from "./exposure.ts";
import { otherPort, readPort } from "./port.ts";
import { addedServer, withServer, withoutServer } from "./servers.ts";
import { hostOf } from "../../strings/host.ts";
import { issuedTokens } from "./tokens/tokens.ts";

const view = (state: Partial<LocalApiView["state"]>, settings: object = {}): LocalApiView => ({
  settings: {
    enabled: true,
    port: 17_878,
    exposeOnLan: false,
    referenceDocsEnabled: false,
    staticDocsEnabled: false,
    allowedSignalingServers: [],
    ...settings,
  },
  state: { status: "stopped", urls: [], lastError: null, ...state },
  tokens: [],
});

describe("a port that was typed", () => {
  it.each([
    ["1", 1],
    ["65535", 65_535],
    [" 17878 ", 17_878],
    ["0080", 80],
  ])("%j is %d", (typed, port) => expect(readPort(typed)).toEqual({ ok: true, port }));

  it.each([
    ["", "empty"],
    ["   ", "empty"],
    ["0", "out-of-range"],
    ["65536", "out-of-range"],
    ["-1", "out-of-range"],
    ["999999999999999999999", "out-of-range"],
    ["17878abc", "not-a-number"],
    ["1e3", "not-a-number"],
    ["80.5", "not-a-number"],
    ["0x50", "not-a-number"],
    ["17 878", "not-a-number"],
  ])("%j is none, being %s", (typed, problem) => expect(readPort(typed)).toEqual({ ok: false, problem }));

  it.each([
    [17_878, 17_879],
    [80, 17_878],
    [65_535, 17_878],
    [65_534, 65_535],
  ])("offers another one than %d: %d", (port, other) => expect(otherPort(port)).toBe(other));
});

describe("exposure on the network", () => {
  it("is open only while the server listens", () => {
    expect(exposureOf(view({ status: "listening" }))).toBe("private");
    expect(exposureOf(view({ status: "listening" }, { exposeOnLan: true }))).toBe("open");
    expect(exposureOf(view({ status: "stopped" }, { exposeOnLan: true }))).toBe("armed");
    expect(exposureOf(view({ status: "failed" }, { exposeOnLan: true }))).toBe("armed");
  });
});

describe("what is said of a change of state", () => {
  const listening = view({ status: "listening", urls: ["http://127.0.0.1:17878"] });
  const failed = view({ status: "failed", lastError: "Port 17878 is in use." });
  const say = (after: LocalApiView, before: LocalApiView) => stateAnnouncement(after, before, strings);

  it("names the address, the reason, or the end", () => {
    expect(say(listening, view({}))).toBe("The local API is on at http://127.0.0.1:17878.");
    expect(say(failed, view({}))).toBe("The local API could not start. Port 17878 is in use.");
    expect(say(view({}), listening)).toBe("The local API is off.");
    expect(say(view({ status: "starting" }), view({}))).toBe("The local API is starting.");
  });

  it("is nothing when only something else changed", () => {
    expect(
      say({ ...listening, settings: { ...listening.settings, staticDocsEnabled: true } }, listening),
    ).toBe(undefined);
  });

  it("is said again for another address and for another error", () => {
    const moved = view({ status: "listening", urls: ["http://127.0.0.1:18000"] });
    expect(say(moved, listening)).toContain("18000");
    expect(say(view({ status: "failed", lastError: "Port 2 is in use." }), failed)).toContain("Port 2");
  });
});

describe("tokens that were issued", () => {
  it("are those whose id was not there before", () => {
    const token = (id: string) => ({ ...({} as LocalApiView["tokens"][number]), id });
    const before = [token("a"), token("b")];
    expect(issuedTokens(before, [token("c"), token("b")]).map(({ id }) => id)).toEqual(["c"]);
    expect(issuedTokens(before, [])).toEqual([]);
  });

  it("come from a host, or from the text where that is no address", () => {
    expect(hostOf("https://chat.example.org:8443")).toBe("chat.example.org:8443");
    expect(hostOf("chat")).toBe("chat");
  });
});

describe("the list of allowed servers", () => {
  it("gets an entry at its end, loses one, and tells which was added", () => {
    expect(withServer(["https://a.example"], " https://b.example ")).toEqual([
      "https://a.example",
      "https://b.example",
    ]);
    expect(withoutServer(["https://a.example", "https://b.example"], "https://a.example")).toEqual([
      "https://b.example",
    ]);
    expect(addedServer(["https://a.example"], ["https://a.example", "https://b.example"])).toBe(
      "https://b.example",
    );
    expect(addedServer(["https://a.example"], ["https://a.example"])).toBe(undefined);
  });
});

describe("commands to try", () => {
  const url = "http://127.0.0.1:18000";

  it("carry the address in force", () => {
    for (const { command } of examplesFor(url, ["https://chat.example.org"])) expect(command).toContain(url);
  });

  it("hold no login before a server is allowed, and then the first allowed one", () => {
    expect(examplesFor(url, []).map(({ name }) => name)).toEqual(["health"]);
    const [, login] = examplesFor(url, ["https://a.example", "https://b.example"]);
    expect(login?.command).toContain("'https://a.example'");
  });
});
