import { CLOSE, type CloseKind } from "@hearth/contracts";
import type { PresenceNode } from "../edge/presence-node.ts";
import type { Connection } from "../transport/connection.ts";
import { createFrame } from "../transport/frame.ts";

const MIN_DELAY_MS = 1_000;
/** The maximum rate of returning clients, if all keep to their delay. */
const MAX_RETURNING_PER_SECOND = 500;
const MIN_SPREAD_MS = 3_000;

type Belongs = (connection: Connection) => boolean;
type RetryInMs = (connection: Connection) => number;

/** The part of the transport that closes connections after their accepted messages are handled. */
export interface ClosableTransport {
  /** Resolves when all are gone. */
  closeAll(kind: CloseKind, message: string, retryInMs: RetryInMs): Promise<void>;
  closeWhere(belongs: Belongs, kind: CloseKind, message: string, retryInMs: RetryInMs): void;
}

/** Sends each connection a delay before it reconnects, spread so that they do not all return at once. */
const announceDraining = (connections: readonly Connection[], random: () => number): RetryInMs => {
  const spread = Math.max(MIN_SPREAD_MS, (connections.length / MAX_RETURNING_PER_SECOND) * 1_000);
  const delay = (): number => Math.round(MIN_DELAY_MS + random() * spread);
  const delays = new Map(connections.map(({ id }) => [id, delay()]));
  for (const connection of connections)
    connection.send(createFrame({ type: "server_draining", retryInMs: delays.get(connection.id) }));
  return ({ id }) => delays.get(id) ?? delay();
};

const connectionsOf = (node: PresenceNode): readonly Connection[] =>
  [...node.connections.values()].map(({ connection }) => connection);

/**
 * WS15: tells every connection when to come back, lets what was accepted finish, closes them, and waits until the
 * cluster has forgotten them.
 */
export const drain = async (
  node: PresenceNode,
  random: () => number,
  transport: ClosableTransport,
): Promise<void> => {
  const retryInMs = announceDraining(connectionsOf(node), random);
  await transport.closeAll(CLOSE.RESTARTING, "The server is restarting", retryInMs);
  await Promise.all(node.unregistering);
};

/** WS15: the same for the connections that one gateway passes on, since it is about to end. */
export const leaveGateway = (
  node: PresenceNode,
  random: () => number,
  transport: ClosableTransport,
  gatewayId: string,
): void => {
  const belongs = ({ gateway }: Connection): boolean => gateway === gatewayId;
  const retryInMs = announceDraining(connectionsOf(node).filter(belongs), random);
  transport.closeWhere(belongs, CLOSE.RESTARTING, "The server is restarting", retryInMs);
};
