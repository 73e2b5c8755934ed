import { CLOSE, type CloseKind } from "@hearth/contracts";
import type { PresenceNode } from "../edge/presence-node.ts";
import type { Connection } from "../transport/connection.ts";
import { createFrame } from "../transport/frame.ts";

const MIN_DELAY_MS = 1_000;
/** The maximum rate of returning clients, if all keep to their delay. */
const MAX_RETURNING_PER_SECOND = 500;
const MIN_SPREAD_MS = 3_000;

type ConnectionFilter = (connection: Connection) => boolean;
type RetryInMs = (connection: Connection) => number;

/** The part of the transport that closes connections after their accepted messages are handled. */
export interface ClosableTransport {
  /** Resolves when all are closed. */
  closeAll(kind: CloseKind, message: string, retryInMs: RetryInMs): Promise<void>;
  closeWhere(matches: ConnectionFilter, kind: CloseKind, message: string, retryInMs: RetryInMs): void;
}

export interface DrainingContext {
  readonly node: PresenceNode;
  readonly transport: ClosableTransport;
  readonly random: () => number;
}

/** Sends each connection a delay before it reconnects, spread so that they do not all return at once. */
const announceDraining = (
  { node, random }: DrainingContext,
  matches: ConnectionFilter = () => true,
): RetryInMs => {
  const connections = [...node.connections.values()].map(({ connection }) => connection).filter(matches);
  const spread = Math.max(MIN_SPREAD_MS, (connections.length / MAX_RETURNING_PER_SECOND) * 1_000);
  const delay = (): number => Math.round(MIN_DELAY_MS + random() * spread);
  const delays = new Map(connections.map(({ id }) => [id, delay()]));
  for (const connection of connections)
    connection.send(createFrame({ type: "server_draining", retryInMs: delays.get(connection.id) }));
  return ({ id }) => delays.get(id) ?? delay();
};

/**
 * WS15: tells every connection when to come back, lets accepted messages finish, closes the connections, and waits until
 * the cluster has forgotten them.
 */
export const drain = async (context: DrainingContext): Promise<void> => {
  const retryInMs = announceDraining(context);
  await context.transport.closeAll(CLOSE.RESTARTING, "The server is restarting", retryInMs);
  await Promise.all(context.node.unregistering);
};

/** WS15: closes the connections that came through a gateway that is about to end, in the same way. */
export const drainGateway = (context: DrainingContext, gatewayId: string): void => {
  const cameThrough = ({ gateway }: Connection): boolean => gateway === gatewayId;
  const retryInMs = announceDraining(context, cameThrough);
  context.transport.closeWhere(cameThrough, CLOSE.RESTARTING, "The server is restarting", retryInMs);
};
