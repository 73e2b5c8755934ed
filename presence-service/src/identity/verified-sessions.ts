import { authSubjects, type VerifiedSession } from "@hearth/contracts";
import { type Bus, SessionCache, type SessionCacheOptions } from "@hearth/runtime";

/**
 * Caches auth's answers, so that a quick reconnect costs auth nothing. Whether a session has ended meanwhile is up to
 * `EndedSessions` (rule AU6).
 */
export class VerifiedSessions extends SessionCache<VerifiedSession> {
  private readonly auth: Pick<Bus, "request">;

  constructor(options: SessionCacheOptions & { readonly bus: Bus }) {
    super(options);
    this.auth = options.bus;
  }

  /** Rejects with `AUTH_INVALID` when auth refuses the token, and with what may pass when it cannot be asked. */
  async of(token: string, deviceName: string | undefined): Promise<VerifiedSession> {
    // The name is part of the key: auth keeps it for the list of sessions and must learn a new one.
    const credential = `${token} ${deviceName ?? ""}`;
    return (
      this.get(credential) ??
      this.load(credential, () =>
        this.auth.request(authSubjects.verify, { token, ...(deviceName && { deviceName }) }),
      )
    );
  }
}
