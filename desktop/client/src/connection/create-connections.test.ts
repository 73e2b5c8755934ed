import { describe, expect, it } from "@jest/globals";
import { createStore } from "zustand/vanilla";
import type { AccountsState, Instance } from "../accounts/accounts.ts";
import { settled } from "../testing/fake-clock.ts";
import { createFakePlatform } from "../testing/fake-platform.ts";
import type { FakePlatform } from "../testing/fake-platform.ts";
import { createConnections } from "./create-connections.ts";
import { serveSockets } from "./testing/scripted-server.ts";

const HOME = "http://home.example";
const AWAY = "https://away.example";

const server = (url: string, authorization: Instance["authorization"] = "authorized"): Instance => ({
  url,
  isHome: url === HOME,
  authorization,
  account: {
    userId: `user@${url}`,
    username: "ada",
    displayName: "Ada",
    expiresAt: 1,
    autoProvisioned: false,
  },
  failure: null,
  isNewlyProvisioned: false,
});

const signedIn = (...instances: readonly Instance[]): AccountsState => ({
  phase: "signed-in",
  homeUrl: HOME,
  instances,
  ended: null,
});

function stageOf(platform: FakePlatform = createFakePlatform()) {
  serveSockets(platform);
  const state = createStore<AccountsState>(() => signedIn(server(HOME)));
  const tokens = new Map([
    [HOME, "home-1"],
    [AWAY, "away-1"],
  ]);
  const failures: (readonly string[])[] = [];
  const accounts = {
    state,
    token: (url: string) => tokens.get(url) ?? null,
    signalServerAuthFailed: (...failure: readonly [string, string, string]) => void failures.push(failure),
  };
  const connections = createConnections({ platform, accounts, instance: { id: "instance" } });
  const open = (): readonly string[] =>
    platform.sockets
      .filter(({ closedWith, readyState }) => closedWith === null && readyState === 1)
      .map(({ url }) => url);
  return { platform, state, tokens, failures, connections, open };
}

describe("connections", () => {
  it("open and close with each valid account", async () => {
    const { connections, state, open, tokens } = stageOf();
    connections.start();
    await settled();
    expect(open()).toEqual(["ws://home.example/ws"]);
    state.setState(signedIn(server(HOME), server(AWAY)));
    await settled();
    expect(open()).toEqual(["ws://home.example/ws", "wss://away.example/ws"]);
    expect([...connections.states.getState()].map(([url, { status }]) => [url, status])).toEqual([
      [HOME, "online"],
      [AWAY, "online"],
    ]);
    state.setState(signedIn(server(HOME), server(AWAY, "needs-sign-in")));
    await settled();
    expect(open()).toEqual(["ws://home.example/ws"]);
    expect(connections.of(AWAY)).toBeNull();
    tokens.clear();
    state.setState({ ...signedIn(server(HOME, "needs-sign-in")), phase: "signed-out" });
    await settled();
    expect([open(), connections.states.getState().size]).toEqual([[], 0]);
  });

  it("identify as the account there, and reopen once with a new token", async () => {
    const { connections, state, platform, tokens } = stageOf();
    state.setState(signedIn(server(AWAY)));
    connections.start();
    await settled();
    state.setState(signedIn({ ...server(AWAY), isNewlyProvisioned: true }));
    await settled();
    expect(platform.sockets).toHaveLength(1);
    expect(platform.sockets[0]?.sent[0]).toMatchObject({ token: "away-1", oderId: `user@${AWAY}` });
    tokens.set(AWAY, "away-2");
    state.setState(signedIn(server(AWAY)));
    await settled();
    expect(platform.sockets).toHaveLength(2);
    expect(platform.sockets[0]?.closedWith).not.toBeNull();
    expect(platform.sockets[1]?.sent[0]).toMatchObject({ token: "away-2" });
  });

  it("report the source of a message, and connections that are already online", async () => {
    const { connections, platform, state } = stageOf();
    const heard: (readonly [string, string])[] = [];
    const online: string[] = [];
    connections.on((url, { type }) => void heard.push([url, type]));
    connections.start();
    await settled();
    state.setState(signedIn(server(HOME), server(AWAY)));
    await settled();
    connections.onOnline((url, connection) => {
      expect(connection).toBe(connections.of(url));
      online.push(url);
    });
    expect(online).toEqual([HOME, AWAY]);
    platform.sockets[1]?.receive({ type: "server_left", serverId: "x" });
    expect(heard).toEqual([
      [HOME, "identified"],
      [AWAY, "identified"],
      [AWAY, "server_left"],
    ]);
    platform.sockets[1]?.drop();
    await platform.clock.advance(1_000);
    expect(online).toEqual([HOME, AWAY, AWAY]);
  });

  it("report a refused token only to the accounts of that instance", async () => {
    const { connections, platform, state, failures, open } = stageOf();
    state.setState(signedIn(server(HOME), server(AWAY)));
    connections.start();
    await settled();
    platform.sockets[1]?.drop(4501);
    expect(failures).toEqual([[AWAY, "away-1", "revoked"]]);
    expect(connections.states.getState().get(AWAY)).toMatchObject({
      status: "ended",
      reason: "session_revoked",
    });
    expect(open()).toEqual(["ws://home.example/ws"]);
  });

  it("close all at once and stop dialling", async () => {
    const { connections, platform, state, open } = stageOf();
    connections.start();
    connections.start();
    await settled();
    expect(platform.sockets).toHaveLength(1);
    connections.stop();
    state.setState(signedIn(server(HOME), server(AWAY)));
    await platform.clock.advance(600_000);
    expect([open(), platform.sockets.length, platform.clock.waiting]).toEqual([[], 1, 0]);
    connections.start();
    await settled();
    expect(open()).toHaveLength(2);
  });
});
