import type { Ban, Invite, Member, Role, RouteContract, Server } from "@hearth/contracts";
import type { Readable } from "@hearth/client";
import type { ServersState } from "@hearth/client";
import type { Rest, RestResult } from "@hearth/client";
import type { Calls } from "./fake-calls.ts";
import type { FakeContent } from "./fake-content.ts";
import { serverOf } from "./fake-servers.ts";

interface Call {
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answers = Readonly<Record<string, (call: Call) => unknown>>;

const page = <Item>(items: readonly Item[]) => ({ items, nextCursor: null });
const DAY_MS = 86_400_000;

/** Servers of chat that are found in the directory, besides those that were joined. */
export const strangers = (content: FakeContent, now: number): readonly Server[] =>
  (
    [
      [
        "Night Bus",
        "For everyone who is still up, and for those who are up already.",
        ["music", "night"],
        318,
        "public",
      ],
      [
        "Allotment 14",
        "Slugs, seeds and who has the key to the shed.",
        ["garden", "neighbours"],
        41,
        "public",
      ],
      [
        "Mending Circle",
        "Bring it broken, take it home whole. Thursdays, and here in between.",
        ["repair", "sewing"],
        126,
        "public",
      ],
      [
        "Small Radio",
        "Pirates by temperament, licensed by the book.",
        ["radio", "electronics"],
        87,
        "public",
      ],
      ["River Rowers", "Six in the morning. Yes, in winter as well.", ["sport", "water"], 23, "private"],
    ] as const
  ).map(([name, description, tags, memberCount, visibility], index): Server => {
    const [first] = content.rooms;
    if (first === undefined) throw new RangeError("The sample has no room");
    const id = first.id.slice(0, -1) + String(index);
    const owner = content.users.at(-1 - index)?.id ?? first.actorUserId;
    const base = serverOf(first, memberCount, Math.ceil(memberCount / 7));
    const createdAt = now - (index + 2) * 30 * DAY_MS;
    return {
      ...base,
      id,
      name,
      description,
      tags,
      visibility,
      ownerId: owner,
      featured: index < 2,
      createdAt,
    };
  });

/** The REST side of a signaling server in memory: moderation has its effect, lists answer what is there. */
class FakeServer {
  readonly members: Map<string, readonly Member[]>;
  readonly bans = new Map<string, readonly Ban[]>();
  readonly invites: Invite[] = [];
  requests: readonly Record<string, unknown>[];
  readonly #content: FakeContent;
  readonly #servers: Readable<ServersState>;
  readonly #found: readonly Server[];
  readonly #now: () => number;

  constructor(
    content: FakeContent,
    servers: Readable<ServersState>,
    found: readonly Server[],
    now: () => number,
  ) {
    this.members = new Map(content.members);
    this.#content = content;
    this.#servers = servers;
    this.#found = found;
    this.#now = now;
    this.requests = ["Walter", "Sofia"].map((displayName, index) => ({
      id: crypto.randomUUID(),
      serverId: content.rooms[0]?.id,
      userId: content.users.find((user) => user.displayName === displayName)?.id ?? crypto.randomUUID(),
      displayName,
      message: index === 0 ? "I live on the third floor now." : null,
      status: "pending",
      createdAt: now() - (index + 1) * 7_200_000,
      decidedAt: null,
      decidedBy: null,
    }));
  }

  servers(url: string): readonly Server[] {
    const own = [...this.#servers.getState().servers.values()]
      .filter(({ room }) => room.signalServerUrl === url && room.visibility === "public")
      .map(({ room, present }) => serverOf(room, this.members.get(room.id)?.length ?? 1, present.size));
    return [...own, ...this.#found];
  }

  listed = (url: string): readonly Server[] => this.servers(url).filter((it) => it.visibility === "public");

  setRole(roomId: string, userId: string, role: Role): Member | undefined {
    const changed = (this.members.get(roomId) ?? []).map((it) =>
      it.userId === userId ? { ...it, role } : it,
    );
    this.members.set(roomId, changed);
    return changed.find((it) => it.userId === userId);
  }

  removeMember(roomId: string, userId: string): void {
    this.members.set(
      roomId,
      (this.members.get(roomId) ?? []).filter((it) => it.userId !== userId),
    );
  }

  ban({ params, body, url }: Call): Ban {
    const { id = "", userId = "" } = params;
    this.removeMember(id, userId);
    const ban: Ban = {
      userId,
      bannedBy: this.#content.mine(url),
      reason: typeof body["reason"] === "string" ? body["reason"] : null,
      createdAt: this.#now(),
      expiresAt: typeof body["expiresAt"] === "number" ? body["expiresAt"] : null,
    };
    this.bans.set(id, [...(this.bans.get(id) ?? []), ban]);
    return ban;
  }

  invite({ params, body, url }: Call): Invite {
    const invite: Invite = {
      code: crypto.randomUUID().replaceAll("-", "").slice(0, 10),
      serverId: params["id"] ?? "",
      createdBy: this.#content.mine(url),
      createdAt: this.#now(),
      expiresAt: typeof body["expiresAt"] === "number" ? body["expiresAt"] : null,
      maxUses: typeof body["maxUses"] === "number" ? body["maxUses"] : null,
      uses: 0,
    };
    this.invites.push(invite);
    return invite;
  }
}

const matching = (query: unknown) => {
  const wanted = String(query).toLowerCase();
  return ({ name, description, tags }: Server): boolean =>
    `${name} ${description} ${tags.join(" ")}`.toLowerCase().includes(wanted);
};

const answersOf = (server: FakeServer, now: () => number): Answers => ({
  listServers: ({ url, query }) =>
    page(server.listed(url).filter(({ tags }) => !query["tag"] || tags.includes(String(query["tag"])))),
  listFeaturedServers: ({ url }) => page(server.listed(url).filter(({ featured }) => featured)),
  listTrendingServers: ({ url }) =>
    page([...server.listed(url)].sort((a, b) => b.memberCount - a.memberCount)),
  searchServers: ({ url, query }) => page(server.listed(url).filter(matching(query["q"]))),
  getServer: ({ url, params }) => server.servers(url).find(({ id }) => id === params["id"]),
  listMembers: ({ params }) => page(server.members.get(params["id"] ?? "") ?? []),
  setRole: ({ params, body }) =>
    server.setRole(
      params["id"] ?? "",
      params["userId"] ?? "",
      body["role"] === "moderator" ? "moderator" : "member",
    ),
  removeMember: ({ params }) => server.removeMember(params["id"] ?? "", params["userId"] ?? ""),
  banUser: (call) => server.ban(call),
  unbanUser: ({ params }) =>
    void server.bans.set(
      params["id"] ?? "",
      (server.bans.get(params["id"] ?? "") ?? []).filter(({ userId }) => userId !== params["userId"]),
    ),
  listBans: ({ params }) => page(server.bans.get(params["id"] ?? "") ?? []),
  createInvite: (call) => server.invite(call),
  deleteInvite: () => undefined,
  getInvite: ({ url, params }) => ({
    code: params["code"],
    expiresAt: null,
    server: server.servers(url).at(-1),
  }),
  listRequests: ({ params }) => page(server.requests.filter((it) => it["serverId"] === params["id"])),
  createRequest: ({ params, body }) => ({
    id: crypto.randomUUID(),
    serverId: params["id"],
    userId: crypto.randomUUID(),
    displayName: "Nora",
    message: body["message"] ?? null,
    status: "pending",
    createdAt: now(),
    decidedAt: null,
    decidedBy: null,
  }),
  decideRequest({ params, body }) {
    const request = server.requests.find(({ id }) => id === params["id"]);
    server.requests = server.requests.filter((it) => it !== request);
    return { ...request, status: body["status"], decidedAt: now() };
  },
  transferServer: ({ url, params }) => server.servers(url).find(({ id }) => id === params["id"]),
  listSessions: () => [
    session("0", true, now(), "Firefox on Linux"),
    session("1", false, now() - 5 * 3_600_000, "Hearth on the kitchen laptop"),
    session("2", false, now() - 21 * DAY_MS, null),
  ],
  endSession: () => undefined,
  endOtherSessions: () => undefined,
});

const session = (digit: string, current: boolean, lastUsedAt: number, deviceName: string | null) => ({
  id: `00000000-0000-4000-8000-00000000000${digit}`,
  current,
  createdAt: lastUsedAt - 40 * DAY_MS,
  lastUsedAt,
  expiresAt: lastUsedAt + 3_650 * DAY_MS,
  ip: "192.0.2.7",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  deviceName,
});

export function createFakeRest(
  content: FakeContent,
  servers: Readable<ServersState>,
  found: readonly Server[],
  calls: Calls,
  now: () => number,
): Rest {
  const answers = answersOf(new FakeServer(content, servers, found, now), now);
  return {
    async call<R extends RouteContract>(url: string, { operationId }: R, input: unknown) {
      const { params = {}, query = {}, body = {} } = input as Partial<Omit<Call, "url">>;
      await calls.did(`rest.${operationId}`, { url, ...params, ...query, ...body });
      const answer = answers[operationId];
      if (answer === undefined) throw calls.problem("NOT_FOUND");
      return answer({ url, params, query, body }) as RestResult<R>;
    },
  };
}
