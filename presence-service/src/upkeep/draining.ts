import { CLOSE, type CloseKind } from "@hearth/contracts";
import type { PresenceNode } from "../edge/presence-node.ts";
import type { Connection } from "../transport/connection.ts";
import { createFrame } from "../transport/frame.ts";

const SOONEST_MS = 1_000;
/** Clients that come back per second, at most, when all of them do as they are told. */
const RETURNING_PER_SECOND = 500;
const SHORTEST_SPREAD_MS = 3_000;

type Belongs = (connection: Connection) => boolean;
type RetryInMs = (connection: Connection) => number;

/** The transport, as far as connections are closed there once they have finished what they had accepted. */
export interface Closing {
  /** Resolves when all are gone. */
  closeAll(kind: CloseKind, message: string, retryInMs: RetryInMs): Promise<void>;
  closeWhere(belongs: Belongs, kind: CloseKind, message: string, retryInMs: RetryInMs): void;
}

/** Tells these connections when to come back, spread over time so that they do not come at once. */
const callBack = (connections: readonly Connection[], random: () => number): RetryInMs => {
  const spread = Math.max(SHORTEST_SPREAD_MS, (connections.length / RETURNING_PER_SECOND) * 1_000);
  const delay = (): number => Math.round(SOONEST_MS + random() * spread);
  const delays = new Map(connections.map(({ id }) => [id, delay()]));
  for (const connection of connections)
    connection.send(createFrame({ type: "server_draining", retryInMs: delays.get(connection.id) }));
  return ({ id }) => delays.get(id) ?? delay();
};

const connectionsOf = (node: PresenceNode): readonly Connection[] =>
  [...node.clients.values()].map(({ connection }) => connection);

/**
 * WS15: tells every connection when to come back, lets what was accepted finish, closes them, and waits until the
 * cluster has forgotten them.
 */
export const drain = async (node: PresenceNode, random: () => number, transport: Closing): Promise<void> => {
  const retryInMs = callBack(connectionsOf(node), random);
  await transport.closeAll(CLOSE.RESTARTING, "The server is restarting", retryInMs);
  await Promise.all(node.leaving);
};

/** WS15: the same for the connections that one gateway passes on, since it is about to end. */
export const leaveGateway = (
  node: PresenceNode,
  random: () => number,
  transport: Closing,
  gatewayId: string,
): void => {
  const belongs = ({ gateway }: Connection): boolean => gateway === gatewayId;
  const retryInMs = callBack(connectionsOf(node).filter(belongs), random);
  transport.closeWhere(belongs, CLOSE.RESTARTING, "The server is restarting", retryInMs);
};
