import { createStore } from "zustand/vanilla";
import type { Channel, ErrorCode, JoinedServer, Server } from "@hearth/contracts";
import { ERRORS } from "@hearth/contracts";
import type { AccountsState, SignalServer } from "../../accounts/accounts.ts";
import { createConnections } from "../../connection/create-connections.ts";
import { serveSockets } from "../../connection/testing/scripted-server.ts";
import { ClientProblem } from "../../problem.ts";
import { createRest } from "../../rest/create-rest.ts";
import { openFakeStore } from "../../store/testing/fake-store.ts";
import { settled } from "../../testing/fake-clock.ts";
import type { FakeAnswer, FakeRequest } from "../../testing/fake-network.ts";
import { createFakePlatform } from "../../testing/fake-platform.ts";
import type { FakePlatform } from "../../testing/fake-platform.ts";
import type { SyncPayloads } from "../../wire.ts";
import { createPlaces } from "../create-places.ts";
import type { PlaceLost } from "../places.ts";

export const HOME = "http://home.example";
export const AWAY = "https://away.example";

/** A UUID by a small number. */
export const idOf = (number: number): string => `01900000-0000-7000-8000-${String(number).padStart(12, "0")}`;

/** Who the account is on each server. */
export const ACTORS: Readonly<Record<string, string>> = { [HOME]: idOf(900), [AWAY]: idOf(901) };
export const OTHER = idOf(950);

const START = Date.UTC(2026, 0, 5, 12);

export const serverNamed = (
  name: string,
  number: number,
  more: Partial<JoinedServer> = {},
): JoinedServer => ({
  id: idOf(number),
  name,
  description: "",
  iconHash: null,
  tags: [],
  visibility: "public",
  ownerId: OTHER,
  memberCount: 2,
  onlineCount: 1,
  featured: false,
  channels: [{ id: idOf(number + 500), name: "general", kind: "text", position: 0 }],
  createdAt: START - 9_000_000,
  updatedAt: START - 9_000_000,
  version: 1,
  role: "member",
  joinedAt: START - 8_000_000,
  ...more,
});

const signalServer = (url: string): SignalServer => ({
  url,
  isHome: url === HOME,
  authorization: "authorized",
  account: {
    userId: ACTORS[url] ?? "",
    username: "ada",
    displayName: "Ada",
    expiresAt: 1,
    autoProvisioned: false,
  },
  failure: null,
  isNewlyProvisioned: false,
});

export const signedIn = (...urls: readonly string[]): AccountsState => ({
  phase: "signed-in",
  homeUrl: HOME,
  servers: urls.map(signalServer),
  ended: null,
});

const problem = (code: ErrorCode): FakeAnswer => {
  const { status, title } = ERRORS[code];
  return { status, body: { type: "about:blank", title, status, detail: title, code, requestId: "r" } };
};

type ServerChanges = Omit<Partial<Server>, "channels"> & { readonly channels?: readonly Partial<Channel>[] };

/** What one signaling server has, and how it answers; a test changes it as it goes. */
export class ScriptedPlaces {
  readonly mine: JoinedServer[];
  /** Rooms of ours that its list leaves out by mistake. */
  readonly unlisted = new Set<string>();
  /** Servers of chat that anybody may join. */
  readonly open: JoinedServer[] = [];
  readonly asked: FakeRequest[] = [];
  /** A refusal of the next calls of that method and path ending. */
  refusals: { readonly method: string; readonly path: RegExp; readonly code: ErrorCode; times: number }[] =
    [];
  /** How the socket refuses to let in. */
  closedRooms = new Map<string, { readonly code: ErrorCode; readonly retryAfterMs?: number }>();
  present = [{ oderId: OTHER, displayName: "Grace", status: "online" as const }];
  /** Runs before an answer to `mine`. */
  beforeMine: (() => Promise<void>) | null = null;
  /** Runs before an answer to `members`, once it is decided. */
  beforeMembers: (() => Promise<void>) | null = null;

  constructor(...mine: readonly JoinedServer[]) {
    this.mine = [...mine];
  }

  refuse(method: string, path: RegExp, code: ErrorCode, times = 1): void {
    this.refusals.push({ method, path, code, times });
  }

  async answer(request: FakeRequest): Promise<FakeAnswer> {
    this.asked.push(request);
    const refusal = this.refusals.find(
      ({ method, path, times }) => times > 0 && method === request.method && path.test(request.path),
    );
    if (refusal) {
      refusal.times -= 1;
      return problem(refusal.code);
    }
    if (request.path.startsWith("/api/servers/mine")) return this.answerMine(request);
    const answer = this.answerServers(request);
    if (request.path.includes("/members")) await this.beforeMembers?.();
    return answer;
  }

  private async answerMine(request: FakeRequest): Promise<FakeAnswer> {
    const found = this.mine.filter(({ id }) => !this.unlisted.has(id));
    await this.beforeMine?.();
    const { searchParams } = new URL(request.url);
    const from = Number(searchParams.get("cursor") ?? 0);
    const limit = Number(searchParams.get("limit"));
    const next = from + limit < found.length ? String(from + limit) : null;
    return { status: 200, body: { items: found.slice(from, from + limit), nextCursor: next } };
  }

  private answerServers({ method, path, body }: FakeRequest): FakeAnswer {
    const [, , , id, verb] = path.split("/");
    const known = this.mine.find((server) => server.id === id);
    if (method === "POST" && id === undefined) {
      const made = serverNamed("made", 77, {
        role: "owner",
        joinedAt: START + 60_000,
        ...(body as Partial<JoinedServer>),
      });
      this.mine.push(made);
      return { status: 201, body: made };
    }
    if (verb === "join") {
      const open = this.open.find((server) => server.id === id);
      if (open && !known) this.mine.push(open);
      return known || open ? { status: 200, body: known ?? open } : problem("ACCESS_DENIED");
    }
    if (!known) return problem(this.open.some((server) => server.id === id) ? "FORBIDDEN" : "NOT_FOUND");
    if (verb?.startsWith("members") === true) return { status: 200, body: { items: [], nextCursor: null } };
    if (verb === "leave" || method === "DELETE") {
      this.mine.splice(this.mine.indexOf(known), 1);
      return { status: 204 };
    }
    if (method === "GET") return { status: 200, body: known };
    const { version, ...changes } = body as ServerChanges;
    if (version !== known.version) return problem("CONFLICT");
    const channels = (changes.channels ?? known.channels).map(
      ({ id = idOf(699), name = "", kind = "text" }, position) => ({
        id,
        name,
        kind,
        position,
      }),
    );
    const next = { ...known, ...changes, channels, version: known.version + 1, updatedAt: START };
    this.mine[this.mine.indexOf(known)] = next;
    return { status: 200, body: next };
  }
}

/** Long enough for the database of the test, which takes turns of the event loop. */
export const calm = (): Promise<void> => settled(60);

const urlOf = (socketUrl: string): string => socketUrl.replace(/^ws/, "http").replace(/\/ws$/, "");

type Servers = Readonly<Record<string, ScriptedPlaces>>;

function serve(platform: FakePlatform, servers: Servers): void {
  serveSockets(platform, ({ type, serverId, requestId }, socket) => {
    const server = servers[urlOf(socket.url)];
    if (type !== "join_server" || !server) return null;
    const refusal = server.closedRooms.get(String(serverId));
    if (refusal)
      return {
        type: "error",
        message: "No",
        retryable: ERRORS[refusal.code].retryable,
        ...refusal,
        requestId,
      };
    const channels = server.mine.find(({ id }) => id === serverId)?.channels ?? [];
    return { type: "server_joined", serverId, users: server.present, channels, requestId };
  });
  platform.network.answer((request) => servers[request.origin]?.answer(request) ?? "no-network");
}

/** The part of the accounts that places need; a new account enters the list as it would there. */
function accountsWith(urls: readonly string[]) {
  const state = createStore<AccountsState>(() => signedIn(...urls));
  const isIn = (url: string): boolean => state.getState().servers.some((server) => server.url === url);
  const ensured: string[] = [];
  const accounts = {
    state,
    ensured,
    failure: null as ClientProblem | null,
    token: (url: string): string | null => (isIn(url) ? `token of ${url}` : null),
    actorId: (url: string): string | null => (isIn(url) ? (ACTORS[url] ?? null) : null),
    signalServerAuthFailed: () => undefined,
    forgotten: new Set<string>(),
    isForgotten: (url: string): boolean => accounts.forgotten.has(url),
    ensureAccount: async (url: string) => {
      ensured.push(url);
      if (accounts.failure) throw accounts.failure;
      if (!isIn(url)) state.setState(signedIn(...state.getState().servers.map((it) => it.url), url));
      const { account } = signalServer(url);
      if (!account) throw new ClientProblem("NEEDS_SIGN_IN");
      return account;
    },
  };
  return accounts;
}

export async function stagePlaces(servers: Servers, urls: readonly string[] = Object.keys(servers)) {
  const platform = createFakePlatform({ seed: 3 });
  const store = await openFakeStore(() => platform.now());
  serve(platform, servers);
  const accounts = accountsWith(urls);
  const rest = createRest({ platform, token: accounts.token, onAuthFailure: () => undefined });
  const connections = createConnections({ platform, accounts, instance: { id: idOf(1_000) } });
  const told: SyncPayloads[] = [];
  const lost: PlaceLost[] = [];
  const tell = (payload: SyncPayloads): void => void told.push(payload);
  const places = createPlaces({ platform, rest, accounts, connections, store, tell });
  places.onLost((one) => void lost.push(one));
  const socketOf = (url: string) => platform.sockets.findLast((socket) => urlOf(socket.url) === url);
  const dial = async (): Promise<void> => {
    connections.start();
    await calm();
  };
  return {
    platform,
    store,
    accounts,
    places,
    lost,
    told,
    connect: async (): Promise<void> => {
      await places.start();
      await dial();
    },
    dial,
    /** A server's socket says something on its newest connection. */
    say: (url: string, message: object): void => socketOf(url)?.receive(message),
    sent: (url: string, type: string) => socketOf(url)?.sentOf(type) ?? [],
    standing: (number: number) => places.state.getState().places.get(idOf(number))?.standing,
    names: () => [...places.state.getState().places.values()].map(({ room }) => room.name).toSorted(),
  };
}
