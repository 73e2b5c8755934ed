import { CLOSE } from "@hearth/contracts";
import type { PresenceNode } from "./node.ts";
import { createFrame } from "./transport/frame.ts";

const SOONEST_MS = 1_000;
/** Clients that come back per second, at most, when all of them do as they are told. */
const RETURNING_PER_SECOND = 500;
const SHORTEST_SPREAD_MS = 3_000;

/**
 * WS15: tells every connection when to come back, spread over time so that they do not come at once, lets what
 * was accepted finish, and closes them.
 */
export const drain = async (
  node: PresenceNode,
  random: () => number,
  settled: () => Promise<void>,
): Promise<void> => {
  const clients = [...node.clients.values()];
  const spread = Math.max(SHORTEST_SPREAD_MS, (clients.length / RETURNING_PER_SECOND) * 1_000);
  const delays = clients.map(() => Math.round(SOONEST_MS + random() * spread));
  for (const [position, { connection }] of clients.entries()) {
    connection.send(createFrame({ type: "server_draining", retryInMs: delays[position] }));
  }
  await settled();
  for (const [position, { connection }] of clients.entries()) {
    connection.close(CLOSE.RESTARTING, "The server is restarting", delays[position]);
  }
};
