import type { FakeAnswer, FakeNetwork, FakeRequest } from "./fake-network.ts";

export interface FakeAccount {
  readonly id: string;
  readonly username: string;
  displayName: string;
  password: string;
}

/** The accounts of one instance. */
export interface FakeAuthServer {
  readonly accounts: Map<string, FakeAccount>;
  /** Valid tokens and their users. */
  readonly sessions: Map<string, FakeAccount>;
  /** If set, the answer to every request. */
  trouble: FakeAnswer | null;
  /** How long new sessions last. */
  ttlMs: number;
}

/** The account routes of any number of instances (rule AU1); an instance exists from its first request on. */
export interface FakeAuthServers {
  of(url: string): FakeAuthServer;
  /** Answers requests of `network`; for tests with further routes. */
  answer(request: FakeRequest): FakeAnswer;
}

const problem = (status: number, code: string, more: object = {}): FakeAnswer => ({
  status,
  body: { type: "about:blank", title: code, detail: code, status, code, requestId: "request", ...more },
});

const textOf = (body: unknown, name: string): string => {
  const value =
    typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : "";
};

function changePassword(account: FakeAccount, body: unknown): FakeAnswer {
  if (textOf(body, "currentPassword") !== account.password) return problem(401, "INVALID_CREDENTIALS");
  account.password = textOf(body, "newPassword");
  return { status: 204 };
}

export function createFakeAuthServers(network: FakeNetwork, now: () => number): FakeAuthServers {
  const servers = new Map<string, FakeAuthServer>();
  let count = 0;
  const uuid = (): string => `0190${(count += 1).toString(16).padStart(4, "0")}-0000-7000-8000-00000000abcd`;

  const of = (url: string): FakeAuthServer => {
    const server = servers.get(url) ?? {
      accounts: new Map(),
      sessions: new Map(),
      trouble: null,
      ttlMs: 10 * 365 * 86_400_000,
    };
    servers.set(url, server);
    return server;
  };
  const opened = (server: FakeAuthServer, account: FakeAccount, status: number): FakeAnswer => {
    const token = (count += 1).toString(16).padStart(64, "0");
    server.sessions.set(token, account);
    const { id, username, displayName } = account;
    return { status, body: { id, username, displayName, token, expiresAt: now() + server.ttlMs } };
  };
  const register = (server: FakeAuthServer, body: unknown): FakeAnswer => {
    const username = textOf(body, "username");
    const key = username.toLowerCase();
    if (server.accounts.has(key)) return problem(409, "USERNAME_TAKEN");
    const displayName = textOf(body, "displayName") || username;
    const account = { id: uuid(), username, displayName, password: textOf(body, "password") };
    server.accounts.set(key, account);
    return opened(server, account, 201);
  };
  const login = (server: FakeAuthServer, body: unknown): FakeAnswer => {
    const account = server.accounts.get(textOf(body, "username").toLowerCase());
    if (account?.password !== textOf(body, "password")) return problem(401, "INVALID_CREDENTIALS");
    return opened(server, account, 200);
  };
  const asUser = ({ method, path, headers, body }: FakeRequest, server: FakeAuthServer): FakeAnswer => {
    const token = headers.get("authorization")?.replace("Bearer ", "") ?? "";
    const account = server.sessions.get(token);
    if (token === "") return problem(401, "AUTH_REQUIRED");
    if (!account) return problem(401, "AUTH_INVALID", { reason: "revoked" });
    if (path === "/api/users/logout")
      return server.sessions.delete(token) ? { status: 204 } : problem(500, "INTERNAL");
    if (path === "/api/users/password") return changePassword(account, body);
    if (method === "PATCH") account.displayName = textOf(body, "displayName");
    const { id, username, displayName } = account;
    return { status: 200, body: { id, username, displayName, createdAt: 1 } };
  };
  const answer = (request: FakeRequest): FakeAnswer => {
    const server = of(request.origin);
    if (server.trouble !== null) return server.trouble;
    if (request.path === "/api/users/register") return register(server, request.body);
    if (request.path === "/api/users/login") return login(server, request.body);
    if (/^\/api\/users\/(me|logout|password)$/.test(request.path)) return asUser(request, server);
    return problem(404, "NOT_FOUND");
  };
  network.answer(answer);
  return { of, answer };
}
