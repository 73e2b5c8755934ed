import { hash } from "node:crypto";
import { LIMITS, authSubjects, type VerifiedSession } from "@hearth/contracts";
import type { Bus, Clock } from "@hearth/runtime";

const MOST = 10_000;

interface Known {
  readonly session: VerifiedSession;
  readonly until: number;
}

/**
 * What auth said of tokens, for at most 30 s (rule GW2 has the same for REST): a device that comes back right away costs
 * auth nothing. An answer counts only while this node hears of the ends of sessions, and whoever uses one still asks
 * `Revocations`, so that no token gets through after its session ended (rule AU6). Refusals are not remembered.
 */
export class VerifiedSessions {
  private readonly known = new Map<string, Known>();
  /** What is being asked. Answers to what was asked before something changed serve those who asked, and are not kept. */
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
    // Auth is told each name of a device once, since it keeps it for the list of sessions.
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

  /** Something may have been missed. */
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
    if (this.known.size >= MOST && oldest !== undefined) this.known.delete(oldest);
    this.known.set(key, { session, until });
  }

  private forgetWhere(matches: (session: VerifiedSession) => boolean): void {
    this.asked.clear();
    for (const [key, { session }] of this.known) if (matches(session)) this.known.delete(key);
  }
}
