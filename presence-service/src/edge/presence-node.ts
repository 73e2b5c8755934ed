import type { IdentityNode } from "../identity/identity-node.ts";
import type { SharedServers } from "../membership/shared-servers.ts";
import type { RelayNode } from "../relay/relay-node.ts";

/** All parts of a presence node: the sum of what the rooms below use. */
export interface PresenceNode extends IdentityNode, RelayNode {
  readonly sharedServers: SharedServers;
}
