import {
  authSubjects,
  discoverySubjects,
  type ErrorCode,
  ProblemError,
  type SessionEndReason,
  syncSubjects,
  type VerifiedSession,
} from "@hearth/contracts";
import { type Bus, newId, randomToken } from "@hearth/runtime";

/** An account's session on its device. */
export interface Session {
  readonly token: string;
  readonly sessionId: string;
  readonly oderId: string;
}

/** Called before a service answers; may wait or throw. */
export type BeforeAnswer = (subject: string) => Promise<void>;

const CHANNEL = { id: "c0000000-0000-4000-8000-000000000001", name: "general", position: 0 };

/** Fakes of auth, discovery and sync. */
export class Services {
  /** Users who may not enter a server, by `serverId oderId`. */
  readonly refused = new Map<string, ErrorCode>();
  /** Pairs of users without a server in common, in either order. */
  readonly strangers = new Set<string>();
  /** Who has blocked whom, by `userId otherUserId`. */
  readonly blocked = new Set<string>();
  before: BeforeAnswer = async () => undefined;
  private readonly sessions = new Map<string, VerifiedSession>();
  private readonly ended = new Map<string, SessionEndReason>();
  private readonly bus: Bus;

  constructor(bus: Bus) {
    this.bus = bus;
    bus.answer(authSubjects.verify, ({ token }) => this.verify(token));
    bus.answer(authSubjects.ended, async ({ sessions }) => ({
      ended: sessions.flatMap(({ sessionId }) => {
        const reason = this.ended.get(sessionId);
        return reason ? [{ sessionId, reason }] : [];
      }),
    }));
    bus.answer(authSubjects.blocked, async ({ userId, otherUserId }) => {
      const blocked = this.blocked.has(`${userId} ${otherUserId}`);
      await this.before(authSubjects.blocked.name);
      return { blocked };
    });
    bus.answer(discoverySubjects.join, (question) => this.join(question));
    bus.answer(discoverySubjects.ended, async ({ memberships }) => ({
      ended: memberships.flatMap((membership) => {
        const code = this.refused.get(`${membership.serverId} ${membership.userId}`);
        return code ? [{ ...membership, reason: code === "BANNED" ? "banned" : "removed" } as const] : [];
      }),
    }));
    bus.answer(discoverySubjects.shared, async ({ userId, otherUserId }) => {
      const pairs = [`${userId} ${otherUserId}`, `${otherUserId} ${userId}`];
      const shared = !pairs.some((pair) => this.strangers.has(pair));
      await this.before(discoverySubjects.shared.name);
      return { shared };
    });
    bus.answer(syncSubjects.relay, async ({ oderId, connectionId, sequence, envelope }) => {
      await this.before(syncSubjects.relay.name);
      const delivered = { ...envelope, fromUserId: oderId };
      const delivery = { oderId, exceptConnectionId: connectionId, sequence, envelope: delivered };
      await bus.publish(syncSubjects.deliver, delivery);
      return {};
    });
  }

  /** A new session, of a new account unless one is named. */
  logIn(expiresAt: number, oderId: string = newId(), displayName = "Ada"): Session {
    const session = { token: randomToken(), sessionId: newId(), oderId };
    const { token, sessionId } = session;
    const verified = {
      userId: oderId,
      username: displayName.toLowerCase(),
      displayName,
      sessionId,
      expiresAt,
    };
    this.sessions.set(token, verified);
    return session;
  }

  /** AU6: ends a session and publishes that. */
  async endSession({ sessionId, oderId }: Session, reason: SessionEndReason = "revoked"): Promise<void> {
    this.ended.set(sessionId, reason);
    await this.bus.publish(authSubjects.sessionEnded, { sessionId, userId: oderId, reason });
  }

  private async verify(token: string): Promise<VerifiedSession> {
    const session = this.sessions.get(token);
    const reason = session ? this.ended.get(session.sessionId) : "unknown";
    await this.before(authSubjects.verify.name);
    if (!session || reason)
      throw new ProblemError("AUTH_INVALID", undefined, { reason: reason ?? "unknown" });
    return session;
  }

  private async join({ userId, serverId }: { readonly userId: string; readonly serverId: string }) {
    const refused = this.refused.get(`${serverId} ${userId}`);
    await this.before(discoverySubjects.join.name);
    if (refused) throw new ProblemError(refused);
    return {
      role: "member" as const,
      becameMember: false,
      channels: [{ ...CHANNEL, kind: "text" as const }],
    };
  }
}
