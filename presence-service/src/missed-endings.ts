import { authSubjects } from "@hearth/contracts";
import type { Subscription } from "@hearth/runtime";
import type { PresenceNode } from "./node.ts";
import { tellCluster } from "./owed.ts";
import { endSession } from "./sessions.ts";

const BATCH = 200;

interface Session {
  readonly sessionId: string;
  readonly userId: string;
}

const sessionsOf = (node: PresenceNode): Session[] => {
  const sessions = new Map<string, Session>();
  for (const { identity } of node.clients.values()) {
    if (identity)
      sessions.set(identity.sessionId, { sessionId: identity.sessionId, userId: identity.oderId });
  }
  return [...sessions.values()];
};

/**
 * AU6 X7: while the bus was away a session may have ended without this node hearing of it. Once it is back, auth is
 * asked about every session that has a connection here. What could not be asked is owed, so it is asked again.
 */
export const askForMissedEndings = (node: PresenceNode): Subscription =>
  node.bus.onReconnect(() => {
    const pending = sessionsOf(node);
    const ask = async (): Promise<void> => {
      while (pending.length > 0) {
        const { ended } = await node.bus.request(authSubjects.ended, { sessions: pending.slice(0, BATCH) });
        pending.splice(0, BATCH);
        for (const { sessionId, reason } of ended) endSession(node, sessionId, reason);
      }
    };
    void tellCluster(node, ask);
  });
