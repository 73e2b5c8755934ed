import { hash } from "node:crypto";
import { LIMITS, authSubjects, type VerifiedSession } from "@hearth/contracts";
import type { Bus, Clock } from "@hearth/runtime";

const MAX_ENTRIES = 10_000;

interface Known {
  readonly session: VerifiedSession;
  readonly until: number;
}

/**
 * Caches auth's answers on tokens for at most 30 s (as rule GW2 for REST), so that a quick reconnect costs auth
 * nothing. An answer counts only while this node receives the ends of sessions; its user still asks `Revocations`, so
 * that no token outlives its session (rule AU6). Refusals are not cached.
 */
export class VerifiedSessions {
  private readonly known = new Map<string, Known>();
  /** Requests in progress. An answer from before a change serves its callers and is not kept. */
  private readonly asked = new Map<string, Promise<VerifiedSession>>();
  private readonly bus: Bus;
  private readonly clock: Clock;

  constructor(bus: Bus, clock: Clock) {
    this.bus = bus;
    this.clock = clock;
  }

  /** Rejects with `AUTH_INVALID` when auth refuses the token, and with what may pass when it cannot be asked. */
  async of(token: string, deviceName: string | undefined): Promise<VerifiedSession> {
    if (!this.bus.connected) this.forget();
    // The name is part of the key: auth keeps it for the list of sessions and must learn a new one.
    const key = hash("sha256", `${token} ${deviceName ?? ""}`, "base64");
    const known = this.known.get(key);
    if (known && known.until > this.clock.now()) return known.session;
    return this.asked.get(key) ?? this.ask(key, token, deviceName);
  }

  endSession(sessionId: string): void {
    this.forgetWhere((session) => session.sessionId === sessionId);
  }

  /** The account changed: its next answer comes from auth. */
  forgetUser(userId: string): void {
    this.forgetWhere((session) => session.userId === userId);
  }

  /** Forgets everything, because events may have been missed. */
  forget(): void {
    this.known.clear();
    this.asked.clear();
  }

  private ask(key: string, token: string, deviceName: string | undefined): Promise<VerifiedSession> {
    const isCurrent = (): boolean => this.asked.get(key) === asking;
    const request = this.bus.request(authSubjects.verify, { token, ...(deviceName && { deviceName }) });
    const asking = request
      .then((session) => {
        if (isCurrent()) this.remember(key, session);
        return session;
      })
      .finally(() => {
        if (isCurrent()) this.asked.delete(key);
      });
    this.asked.set(key, asking);
    return asking;
  }

  private remember(key: string, session: VerifiedSession): void {
    const until = Math.min(this.clock.now() + LIMITS.identityCacheMs, session.expiresAt);
    this.known.delete(key);
    const [oldest] = this.known.keys();
    if (this.known.size >= MAX_ENTRIES && oldest !== undefined) this.known.delete(oldest);
    this.known.set(key, { session, until });
  }

  private forgetWhere(matches: (session: VerifiedSession) => boolean): void {
    this.asked.clear();
    for (const [key, { session }] of this.known) if (matches(session)) this.known.delete(key);
  }
}
