/** A user's name and password on the way to an instance. */
export interface UpstreamCredentials {
  /** Normalised (rule LA5). */
  readonly serverUrl: string;
  readonly username: string;
  readonly password: string;
}

/** The account that an instance recognised. */
export interface UpstreamAccount {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
}

/**
 * Checks a user's password on an instance. Rejects only with `INVALID_CREDENTIALS`, `UPSTREAM_RATE_LIMITED` or
 * `UPSTREAM_UNREACHABLE`, and leaves no session behind.
 */
export type UpstreamLogin = (credentials: UpstreamCredentials) => Promise<UpstreamAccount>;
