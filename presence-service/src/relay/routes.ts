import type { Parcel } from "../cluster/carrier/carrier.ts";
import { accountRoom } from "../delivery/rooms.ts";
import type { Contact } from "./contacts.ts";

/** Where the copies of a message go. */
export interface Route {
  readonly rooms: readonly string[];
  /** Only to this device of the users in `rooms`. */
  readonly toClientInstanceId?: string | undefined;
  /** How the sender relates to the user of the first room. */
  readonly contact?: Parcel["contact"];
}

/** One user's message to another. */
export interface Direct {
  readonly toUserId: string;
  readonly toClientInstanceId?: string | undefined;
}

/**
 * WS10: to all connections of the addressee, and to the sender's other devices. AB12: only to these if the addressee has
 * blocked the sender.
 */
export const routeToUser = (sender: string, { toUserId }: Direct, { blocked, stranger }: Contact): Route => {
  const own = accountRoom(sender);
  if (blocked) return { rooms: [own] };
  const rooms = toUserId === sender ? [own] : [accountRoom(toUserId), own];
  return { rooms, contact: { from: sender, to: toUserId, stranger } };
};

/** WS10: WebRTC signals go to the addressee alone, and to one of its devices if one is named. */
export const routeToDevice = (
  sender: string,
  { toUserId, toClientInstanceId }: Direct,
  { blocked, stranger }: Contact,
): Route => ({
  rooms: blocked ? [] : [accountRoom(toUserId)],
  toClientInstanceId,
  contact: { from: sender, to: toUserId, stranger },
});
