/** VO1: one user's active voice. */
export interface VoiceLease {
  readonly oderId: string;
  readonly clientInstanceId: string;
  /** The owner's connection; `null` while it is away (rule VO3). */
  readonly connectionId: string | null;
  readonly serverId: string;
  readonly channelId: string;
  readonly muted: boolean;
  readonly deafened: boolean;
  /** Grows with every change of owner, also across restarts. */
  readonly fence: number;
  /** Grows with every announced change: of owner, of channel, of state, and at the end. */
  readonly version: number;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** Who wants voice, and where. */
export interface VoiceClaim {
  readonly oderId: string;
  readonly clientInstanceId: string;
  readonly connectionId: string;
  readonly serverId: string;
  readonly channelId: string;
  /** Left out: as it was. */
  readonly muted?: boolean | undefined;
  readonly deafened?: boolean | undefined;
  /** The fence that the claimer believes in, where it names one. */
  readonly fence?: number | undefined;
}

export interface GrantedClaim {
  readonly outcome: "granted";
  readonly lease: VoiceLease;
  /** What it was until now. */
  readonly previous: VoiceLease | null;
}

export type ClaimOutcome = GrantedClaim | RefusedClaim;

export interface RefusedClaim {
  readonly outcome: "not_owner" | "stale";
  /** What is in force. */
  readonly lease: VoiceLease;
}

/** Who takes voice over; without a channel it stays where it is. */
export type Takeover = Pick<VoiceClaim, "oderId" | "clientInstanceId" | "connectionId" | "fence"> & {
  readonly channel?: { readonly serverId: string; readonly channelId: string };
};

/** What a lease has to match to be released; what is left out matches anything. */
export interface ReleaseCondition {
  readonly clientInstanceId?: string;
  readonly serverId?: string;
}

/**
 * The voice leases of the whole cluster. Every call is atomic. A lease lives for a while and is renewed by the
 * node that holds its owner's connection, so that a dead node's leases end by themselves (rule VO3). One whose time
 * is up stays in force until `expire` has ended it: no lease ends without somebody hearing of it.
 */
export interface VoiceLeases {
  /** VO1: the first claimer gets the lease; the owner may move it and change its state. */
  claim(claim: VoiceClaim): Promise<ClaimOutcome>;
  /** VO2: moves the lease to another device; `null` when there is no lease to take and no channel named. */
  takeOver(takeover: Takeover): Promise<ClaimOutcome | null>;
  /** Ends the lease where it matches; answers what ended, with the version of its end. */
  release(oderId: string, condition: ReleaseCondition): Promise<VoiceLease | null>;
  /** The device may be back on another connection (rule VO3). Answers what is in force then, whosever it is. */
  attach(oderId: string, clientInstanceId: string, connectionId: string): Promise<VoiceLease | null>;
  /** The owner's connection closed: the lease ends after the grace unless the device comes back. */
  detach(oderId: string, connectionId: string, graceMs: number): Promise<void>;
  /** False when this connection owns no lease any more. */
  renew(oderId: string, connectionId: string): Promise<boolean>;
  /** Ends the leases whose time is up, likewise; each is answered to one caller. */
  expire(): Promise<readonly VoiceLease[]>;
  get(oderId: string): Promise<VoiceLease | null>;
  inServer(serverId: string): Promise<readonly VoiceLease[]>;
}
