/** Somebody's name and password for a signaling server, on their way to it and nowhere else. */
export interface UpstreamCredentials {
  /** Normalised (rule LA5). */
  readonly serverUrl: string;
  readonly username: string;
  readonly password: string;
}

/** The account that a signaling server recognised. */
export interface UpstreamAccount {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
}

/**
 * Asks a signaling server who this is. Rejects with `INVALID_CREDENTIALS`, `UPSTREAM_RATE_LIMITED` or
 * `UPSTREAM_UNREACHABLE`, never otherwise, and leaves no session behind.
 */
export type UpstreamLogin = (credentials: UpstreamCredentials) => Promise<UpstreamAccount>;
