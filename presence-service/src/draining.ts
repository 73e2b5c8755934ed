import { CLOSE, type CloseKind } from "@hearth/contracts";
import type { PresenceNode } from "./node.ts";
import type { Connection } from "./transport/connection.ts";
import { createFrame } from "./transport/frame.ts";

const SOONEST_MS = 1_000;
/** Clients that come back per second, at most, when all of them do as they are told. */
const RETURNING_PER_SECOND = 500;
const SHORTEST_SPREAD_MS = 3_000;

/** Closes every connection as soon as it has finished what it had accepted; resolves when all are gone. */
export type CloseAll = (
  kind: CloseKind,
  message: string,
  retryInMs: (connection: Connection) => number,
) => Promise<void>;

/**
 * WS15: tells every connection when to come back, spread over time so that they do not come at once, lets what
 * was accepted finish, closes them, and waits until the cluster has forgotten them.
 */
export const drain = async (node: PresenceNode, random: () => number, closeAll: CloseAll): Promise<void> => {
  const clients = [...node.clients.values()];
  const spread = Math.max(SHORTEST_SPREAD_MS, (clients.length / RETURNING_PER_SECOND) * 1_000);
  const delay = (): number => Math.round(SOONEST_MS + random() * spread);
  const delays = new Map(clients.map(({ connection }) => [connection.id, delay()]));
  for (const { connection } of clients) {
    connection.send(createFrame({ type: "server_draining", retryInMs: delays.get(connection.id) }));
  }
  await closeAll(CLOSE.RESTARTING, "The server is restarting", ({ id }) => delays.get(id) ?? delay());
  await Promise.all(node.leaving);
};
