import type { CloseKind } from "@hearth/contracts";

/**
 * A change of a user that is announced in a room. `presence`: the user entered or left (rule WS8). `voice`: the channel
 * and state of the user's voice (rule VO1). `ownership`: which of the account's devices has voice (rule VO2).
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
  /** The change that the message announces. Behind a newer change it is not delivered (rules WS8, VO2). */
  readonly change?: Change | undefined;
  /** AB6: of what one user sends to another. */
  readonly contact?: { readonly from: string; readonly to: string; readonly stranger: boolean } | undefined;
  /** Closes the one connection that `room` names, after the message (rule WS6). */
  readonly close?: { readonly kind: CloseKind; readonly text: string } | undefined;
}

/**
 * Carries messages to the other nodes: at most once to each, in publishing order per node, never back to the publisher.
 * Local delivery does not use it, so it never waits for a network.
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
