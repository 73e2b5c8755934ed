import type { Channel, ErrorCode, JoinedServer, Server } from "@hearth/contracts";
import { ERRORS } from "@hearth/contracts";
import type { FakeAnswer, FakeRequest } from "../../testing/fake-network.ts";

export const HOME = "http://home.example";
export const AWAY = "https://away.example";
export const ABROAD = "https://abroad.example";

/** A UUID from a small number. */
export const idOf = (number: number): string => `01900000-0000-7000-8000-${String(number).padStart(12, "0")}`;

/** The account's user id on each instance. */
export const ACTORS: Readonly<Record<string, string>> = {
  [HOME]: idOf(900),
  [AWAY]: idOf(901),
  [ABROAD]: idOf(902),
};
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

const problem = (code: ErrorCode): FakeAnswer => {
  const { status, title } = ERRORS[code];
  return { status, body: { type: "about:blank", title, status, detail: title, code, requestId: "r" } };
};

type ServerChanges = Omit<Partial<Server>, "channels"> & { readonly channels?: readonly Partial<Channel>[] };

/** A scripted instance. Tests change it as they go. */
export class ScriptedInstance {
  readonly mine: JoinedServer[];
  /** Our servers that its list omits by mistake. */
  readonly unlisted = new Set<string>();
  /** Servers that anybody may join. */
  readonly open: JoinedServer[] = [];
  readonly asked: FakeRequest[] = [];
  /** Refuses the next calls with that method and a matching path. */
  refusals: { readonly method: string; readonly path: RegExp; readonly code: ErrorCode; times: number }[] =
    [];
  /** Refusals of `join_server` on the socket. */
  closedRooms = new Map<string, { readonly code: ErrorCode; readonly retryAfterMs?: number }>();
  present = [{ oderId: OTHER, displayName: "Grace", status: "online" as const }];
  /** Runs before an answer to `mine`. */
  beforeMine: (() => Promise<void>) | null = null;
  /** Runs before an answer to `members`, after it is computed. */
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
