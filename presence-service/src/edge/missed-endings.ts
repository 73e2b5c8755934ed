import { authSubjects, discoverySubjects } from "@hearth/contracts";
import type { Subscription } from "@hearth/runtime";
import { endSession } from "../identity/sessions.ts";
import { removeFromServer } from "../membership/membership.ts";
import type { PresenceNode } from "./presence-node.ts";

const BATCH = 200;

interface Session {
  readonly sessionId: string;
  readonly userId: string;
}

interface Membership {
  readonly serverId: string;
  readonly userId: string;
}

const sessionsOf = (node: PresenceNode): Session[] => {
  const sessions = new Map<string, Session>();
  for (const { identity } of node.connections.values()) {
    if (identity)
      sessions.set(identity.sessionId, { sessionId: identity.sessionId, userId: identity.oderId });
  }
  return [...sessions.values()];
};

const membershipsOf = (node: PresenceNode): Membership[] => {
  const memberships = new Map<string, Membership>();
  for (const { identity, servers } of node.connections.values()) {
    if (!identity || !servers) continue;
    const userId = identity.oderId;
    for (const serverId of servers) memberships.set(`${serverId} ${userId}`, { serverId, userId });
  }
  return [...memberships.values()];
};

/** Asks about all of them, one batch at a time. Retries a batch that failed. */
function askAll<Asked>(node: PresenceNode, pending: Asked[], ask: (batch: Asked[]) => Promise<void>): void {
  const askRest = async (): Promise<void> => {
    while (pending.length > 0) {
      await ask(pending.slice(0, BATCH));
      pending.splice(0, BATCH);
    }
  };
  void node.pendingAnnouncements.attempt(askRest);
}

/**
 * While the bus was down, this node may have missed the end of a session (AU6, X7) or of a membership (DI7). On
 * reconnect, it asks auth and discovery about everybody who has a connection on this node.
 */
export const askForMissedEndings = (node: PresenceNode): Subscription =>
  node.bus.onReconnect(() => {
    node.sharedServers.forget();
    node.verified.clear();
    askAll(node, sessionsOf(node), async (sessions) => {
      const { ended } = await node.bus.request(authSubjects.ended, { sessions });
      for (const session of ended) endSession(node, session);
    });
    askAll(node, membershipsOf(node), async (memberships) => {
      const { ended } = await node.bus.request(discoverySubjects.ended, { memberships });
      for (const membership of ended) await removeFromServer(node, membership);
    });
  });
