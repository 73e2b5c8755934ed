/** VO1: one user's active voice. */
export interface VoiceLease {
  readonly oderId: string;
  readonly clientInstanceId: string;
  /** The owner's connection; `null` during the grace period (rule VO3). */
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

/** A device asks for voice in a channel. */
export interface VoiceClaim {
  readonly oderId: string;
  readonly clientInstanceId: string;
  readonly connectionId: string;
  readonly serverId: string;
  readonly channelId: string;
  /** If left out, it stays as it was. */
  readonly muted?: boolean | undefined;
  readonly deafened?: boolean | undefined;
  /** The fence that the device knows, if it names one. */
  readonly fence?: number | undefined;
}

export interface GrantedClaim {
  readonly outcome: "granted";
  readonly lease: VoiceLease;
  /** The lease until now. */
  readonly previous: VoiceLease | null;
}

export type ClaimOutcome = GrantedClaim | RefusedClaim;

export interface RefusedClaim {
  readonly outcome: "not_owner" | "stale";
  /** The lease in force. */
  readonly lease: VoiceLease;
}

/** A device takes voice over; without a channel, voice stays in its channel. */
export type Takeover = Pick<VoiceClaim, "oderId" | "clientInstanceId" | "connectionId" | "fence"> & {
  readonly channel?: { readonly serverId: string; readonly channelId: string };
};

/** Selects the lease to release. Fields that are left out match anything. */
export interface ReleaseCondition {
  readonly clientInstanceId?: string;
  readonly serverId?: string;
}

/**
 * The voice leases of the whole cluster. Every call is atomic. The node that holds the owner's connection renews the lease,
 * so that a dead node's leases end by themselves (rule VO3). An expired lease stays in force until `expire` ends it, so
 * that every end is announced.
 */
export interface VoiceLeases {
  /** VO1: the first claimer gets the lease; the owner may move it and change its state. */
  claim(claim: VoiceClaim): Promise<ClaimOutcome>;
  /** VO2: moves the lease to another device; `null` if there is no lease to take over and no channel is named. */
  takeOver(takeover: Takeover): Promise<ClaimOutcome | null>;
  /** Ends the lease if it matches the condition; returns the ended lease with the version of its end. */
  release(oderId: string, condition: ReleaseCondition): Promise<VoiceLease | null>;
  /** VO3: a device is back on another connection. Returns the lease in force, whichever device owns it. */
  attach(oderId: string, clientInstanceId: string, connectionId: string): Promise<VoiceLease | null>;
  /** The owner's connection closed: the lease ends after the grace period unless the device comes back. */
  detach(oderId: string, connectionId: string, graceMs: number): Promise<void>;
  /** Returns false if this connection owns no lease any more. */
  renew(oderId: string, connectionId: string): Promise<boolean>;
  /** Ends the expired leases, and returns them with the versions of their ends; each to one caller only. */
  expire(): Promise<readonly VoiceLease[]>;
  get(oderId: string): Promise<VoiceLease | null>;
  inServer(serverId: string): Promise<readonly VoiceLease[]>;
}
