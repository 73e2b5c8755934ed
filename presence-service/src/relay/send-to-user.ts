import { type ClientMessage, ProblemError } from "@hearth/contracts";
import type { Incoming } from "../connection/incoming.ts";
import type { Contact } from "./contacts.ts";
import type { RelayNode } from "./relay-node.ts";

/** Messages from one user to another, whether they share a server or not. */
export type ToUser = ClientMessage<
  | "direct_message"
  | "direct_message_revision"
  | "direct_typing"
  | "direct_call"
  | "offer"
  | "answer"
  | "ice_candidate"
>;

/** AB6: calls `send` if the sender's budgets for this addressee allow it; throws `RATE_LIMITED` otherwise. */
export const sendToUser = (
  {
    node,
    state,
    identity: { oderId },
    inbound: { bytes },
    message: { type, toUserId },
  }: Incoming<RelayNode, ToUser>,
  send: (contact: Contact) => Promise<void> | undefined,
): Promise<void> | undefined => {
  const now = node.clock.now();
  if (toUserId !== oderId) refuseFor(state.account?.addressees.take(toUserId, type, bytes, now));
  const proceed = (contact: Contact): Promise<void> | undefined => {
    // A blocked sender has a budget of their own, so that others can still write.
    const budgetKey = contact.blocked ? `${toUserId} ${oderId}` : toUserId;
    if (contact.stranger) refuseFor(node.strangers.take(budgetKey, type, bytes, now));
    return send(contact);
  };
  const contact = node.contacts.recall(oderId, toUserId);
  if (contact) return proceed(contact);
  return node.contacts.ask(oderId, toUserId).then((found) => (state.live ? proceed(found) : undefined));
};

const refuseFor = (retryAfterMs = 0): void => {
  if (retryAfterMs > 0) throw new ProblemError("RATE_LIMITED", undefined, { retryAfterMs });
};
