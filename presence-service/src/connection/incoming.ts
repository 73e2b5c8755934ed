import type { InboundMessage } from "../transport/connection.ts";
import type { ConnectionState, Identity } from "./connection-state.ts";

/** A message and the connection that its answer goes to. */
export interface Exchange {
  readonly state: ConnectionState;
  readonly inbound: InboundMessage;
}

/** One message of an identified connection, with all that its handler needs. */
export interface Incoming<Node, Message> extends Exchange {
  readonly node: Node;
  readonly identity: Identity;
  /** As the schema read it; `inbound.body` is as it came. */
  readonly message: Message;
  /** WS13: a slow reader may miss its copies. */
  readonly droppable: boolean;
}
