import type { InboundMessage } from "../transport/connection.ts";
import type { ConnectionState, Identity } from "./connection-state.ts";

/** What arrived on a connection; without `inbound`, data that is no message. */
export interface Arrival {
  readonly state: ConnectionState;
  readonly inbound: InboundMessage | null;
}

/** A message, and the connection that sent it and receives the answer. */
export interface Exchange extends Arrival {
  readonly inbound: InboundMessage;
}

/** A message of an identified connection, with everything that its handler needs. */
export interface Incoming<Node, Message> extends Exchange {
  readonly node: Node;
  readonly identity: Identity;
  /** Parsed by its schema; `inbound.body` is the message as it arrived. */
  readonly message: Message;
  /** WS13: a slow reader may miss its copies. */
  readonly droppable: boolean;
}
