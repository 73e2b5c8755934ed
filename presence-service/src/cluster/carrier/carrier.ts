import type { CloseKind } from "@hearth/contracts";

/**
 * Something of a user that a room is told. `presence`: the user came into it or went out of it (rule WS8). `voice`: where
 * and how the user's voice is (rule VO1). `ownership`: which of the account's devices has it (rule VO2).
 */
export interface Change {
  readonly about: "presence" | "voice" | "ownership";
  readonly oderId: string;
  /** Grows with every such change in the cluster. */
  readonly version: number;
}

/** A message on its way to a room's members on other nodes. */
export interface Parcel {
  readonly room: string;
  readonly message: Readonly<Record<string, unknown>>;
  readonly ephemeral: boolean;
  readonly exceptConnectionId: string | null;
  /** Only for connections of this device; without it for all in the room. */
  readonly clientInstanceId?: string | undefined;
  /** What the message tells, where an older such message behind a newer one has to be left out (rules WS8, VO2). */
  readonly change?: Change | undefined;
  /** AB6: of what one user sends to another. */
  readonly contact?: { readonly from: string; readonly to: string; readonly stranger: boolean } | undefined;
  /** Ends the one connection that `room` names, once it has been sent the message (rule WS6). */
  readonly close?: { readonly kind: CloseKind; readonly text: string } | undefined;
}

/**
 * Takes messages to the other nodes: at most once to each, in publishing order per node, never back to the one
 * that published. Its own node is not served by it: local delivery never waits for a network.
 */
export interface Carrier {
  /** False while parcels of other nodes would not arrive here; part of readiness. */
  readonly ready: boolean;
  /**
   * Hands a parcel over. Rejects with `UNAVAILABLE` when it cannot be handed over; with no other node to reach
   * it may answer nothing at once.
   */
  publish(parcel: Parcel): Promise<void> | undefined;
  /** Called for every parcel of another node. One receiver. */
  receive(handler: (parcel: Parcel) => void): void;
  close(): Promise<void>;
}
