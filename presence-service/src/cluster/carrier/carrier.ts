import type { CloseKind } from "@hearth/contracts";

/**
 * A change of a user that is announced in a room. `presence`: the user entered or left (rule WS8). `voice`: the channel
 * or state of the user's voice changed (rule VO1). `ownership`: another device of the account has voice (rule VO2).
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
  /** Only connections of this device receive it; by default all in the room. */
  readonly clientInstanceId?: string | undefined;
  /** The change that the message announces. It is not delivered after a newer change (rules WS8, VO2). */
  readonly change?: Change | undefined;
  /** AB6: set if one user sends the message to another. */
  readonly contact?: { readonly from: string; readonly to: string; readonly stranger: boolean } | undefined;
  /** WS6: closes the one connection that `room` names, after the message. */
  readonly close?: { readonly kind: CloseKind; readonly text: string } | undefined;
}

/**
 * Carries messages to the other nodes: at most once to each, in publishing order per node, never back to the publisher.
 * Local delivery does not use it, so it never waits for a network.
 */
export interface Carrier {
  /** False while this node would not receive parcels of other nodes; part of readiness. */
  readonly ready: boolean;
  /**
   * Hands a parcel over. Rejects with `UNAVAILABLE` if that fails. May return `undefined` if there is no other node, so
   * that the caller has nothing to wait for.
   */
  publish(parcel: Parcel): Promise<void> | undefined;
  /** Sets the only handler of parcels from other nodes. */
  receive(handler: (parcel: Parcel) => void): void;
  close(): Promise<void>;
}
