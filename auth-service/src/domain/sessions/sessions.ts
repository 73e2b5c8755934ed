import { ProblemError } from "@hearth/contracts";
import type { SessionEndReason, SessionInfo, VerifiedSession } from "@hearth/contracts";
import { newId, randomToken, sha256Hex } from "@hearth/runtime";
import type { Clock } from "@hearth/runtime";
import type { SessionEndings } from "./session-endings.ts";
import type { SessionUse } from "./session-use.ts";
import type { SessionStore } from "../store.ts";
import type { ListedSession, SessionRecord, SessionState } from "../records.ts";

/** The client that opens a session. */
export interface Client {
  readonly address: string;
  readonly addressBlock: string;
  readonly userAgent: string | null;
  readonly deviceName: string | null;
}

export interface SessionsDeps {
  readonly store: SessionStore;
  readonly endings: SessionEndings;
  readonly clock: Clock;
  readonly use: SessionUse;
  readonly ttlMs: number;
}

/** A new session, not stored yet, and its token, which is stored nowhere. */
export interface NewSession {
  readonly token: string;
  readonly record: SessionRecord;
}

/** The account and session of a request. */
export interface Holder {
  readonly userId: string;
  readonly sessionId: string;
}

export interface Sessions {
  create(accountId: string, client: Client): NewSession;
  /** Refuses with `AUTH_INVALID` and the reason (rule ER3). */
  verify(token: string, deviceName?: string): Promise<VerifiedSession>;
  /** The same refusal for a session that ended after the internal JWT was made (rule AU6). */
  requireLive(holder: Holder): Promise<void>;
  /** The sessions among these that have ended, with the reason (rule AU6). */
  ended(holders: readonly Holder[]): Promise<{ sessionId: string; reason: SessionEndReason }[]>;
  /** AU5: the holder's own session first. */
  list(holder: Holder): Promise<SessionInfo[]>;
  /** False when the account has no such valid session. */
  end(accountId: string, sessionId: string): Promise<boolean>;
  endOthers(holder: Holder): Promise<void>;
}

const TOKEN = /^[0-9a-f]{64}$/;
const MAX_USER_AGENT = 512;

export const refusedToken = (reason: SessionEndReason | "unknown"): ProblemError =>
  new ProblemError("AUTH_INVALID", undefined, { reason });

function endOf(state: SessionState | null, now: number): SessionEndReason | null {
  if (state === null) return "revoked";
  return state.endReason ?? (state.expiresAt <= now ? "expired" : null);
}

function assertLive<State extends SessionState>(state: State | null, now: number): asserts state is State {
  if (state === null) throw refusedToken("unknown");
  if (state.endReason !== null) throw refusedToken(state.endReason);
  if (state.expiresAt <= now) throw refusedToken("expired");
}

export function createSessions({ store, endings, clock, use, ttlMs }: SessionsDeps): Sessions {
  const verify: Sessions["verify"] = async (token, deviceName) => {
    if (!TOKEN.test(token)) throw refusedToken("unknown");
    const found = await store.findSession(sha256Hex(token));
    assertLive(found, clock.now());
    use.note(found, deviceName);
    const { id: sessionId, accountId: userId, username, displayName, expiresAt } = found;
    return { userId, username, displayName, sessionId, expiresAt };
  };

  return {
    verify,
    create: (accountId, client) => {
      const token = randomToken();
      return { token, record: newRecord(accountId, client, sha256Hex(token), clock.now(), ttlMs) };
    },

    ended: async (holders) => {
      const now = clock.now();
      const states = await Promise.all(
        holders.map(async ({ sessionId, userId }) => {
          const reason = endOf(await store.sessionState(sessionId, userId), now);
          return reason === null ? [] : [{ sessionId, reason }];
        }),
      );
      return states.flat();
    },

    requireLive: async ({ userId, sessionId }) => {
      assertLive(await store.sessionState(sessionId, userId), clock.now());
    },

    list: async ({ userId, sessionId }) => {
      await use.flush();
      const records = await store.listSessions(userId, clock.now());
      const rows = records.map((record) => infoOf(record, sessionId));
      return rows.sort((a, b) => Number(b.current) - Number(a.current));
    },

    end: async (accountId, sessionId) => {
      const ended = await store.endSession(sessionId, accountId, clock.now());
      await endings.announce();
      return ended;
    },

    endOthers: async ({ userId, sessionId }) => {
      await store.endOtherSessions(userId, sessionId, clock.now());
      await endings.announce();
    },
  };
}

function newRecord(
  accountId: string,
  client: Client,
  tokenHash: string,
  now: number,
  ttlMs: number,
): SessionRecord {
  return {
    id: newId(),
    accountId,
    tokenHash,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + ttlMs,
    ip: client.address,
    addressBlock: client.addressBlock,
    userAgent: client.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    deviceName: client.deviceName,
  };
}

const infoOf = (record: ListedSession, currentId: string): SessionInfo => ({
  id: record.id,
  current: record.id === currentId,
  createdAt: record.createdAt,
  lastUsedAt: record.lastUsedAt,
  expiresAt: record.expiresAt,
  ip: record.ip,
  userAgent: record.userAgent,
  deviceName: record.deviceName,
});
