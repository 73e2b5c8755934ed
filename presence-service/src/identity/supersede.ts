import { CLOSE } from "@hearth/contracts";
import type { ConnectionRecord } from "../cluster/roster/roster.ts";
import { announceTo, type DeliveryNode } from "../delivery/broadcast.ts";

const CLOSING = { kind: CLOSE.SUPERSEDED, text: "The same device connected again" };

/** WS6: ends the older connection of a tuple, here or on the node where it lives. */
export const supersede = (node: DeliveryNode, { connectionId, clientInstanceId }: ConnectionRecord): void =>
  announceTo(node, connectionId, { type: "superseded", clientInstanceId }, CLOSING);
