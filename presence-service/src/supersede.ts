import { CLOSE } from "@hearth/contracts";
import { announce, type PresenceNode } from "./node.ts";
import { tell } from "./replies.ts";
import { connectionRoom } from "./rooms.ts";
import type { ConnectionRecord } from "./roster.ts";

/** WS6: ends the older connection of a tuple, here or on the node where it lives. */
export const supersede = (node: PresenceNode, { connectionId, clientInstanceId }: ConnectionRecord): void => {
  const older = node.clients.get(connectionId);
  if (older) closeSuperseded(node, connectionId, clientInstanceId);
  else announce(node, connectionRoom(connectionId), { type: "superseded", clientInstanceId });
};

/** The end of the road on the older connection's own node. */
export const closeSuperseded = (node: PresenceNode, connectionId: string, clientInstanceId: string): void => {
  const older = node.clients.get(connectionId);
  if (!older) return;
  tell(older, { type: "superseded", clientInstanceId });
  older.connection.close(CLOSE.SUPERSEDED, "The same device connected again");
};
