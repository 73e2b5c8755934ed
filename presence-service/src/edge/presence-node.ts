import type { IdentityNode } from "../identity/identity-node.ts";
import type { SharedServers } from "../membership/shared-servers.ts";
import type { RelayNode } from "../relay/relay-node.ts";

/** One presence node, as its edges and its upkeep see it: all that the rooms below need together. */
export interface PresenceNode extends IdentityNode, RelayNode {
  readonly sharedServers: SharedServers;
}
