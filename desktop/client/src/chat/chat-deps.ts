import type { Accounts } from "../accounts/accounts.ts";
import type { Blocks } from "../blocks/blocks.ts";
import type { ClientInstance, Connection, Connections } from "../connection/connection.ts";
import type { SavedServer, Servers } from "../servers/servers.ts";
import type { Platform } from "../ports.ts";
import type { Preferences } from "../preferences/preferences.ts";
import type { Rest } from "../rest/rest.ts";
import type { Applied } from "../sync/account-sync.ts";
import type { ClientStore } from "@hearth/store";
import type { SyncPayloads } from "../wire.ts";

/** What the parts of chat depend on. */
export interface ChatDeps {
  readonly platform: Platform;
  readonly store: ClientStore;
  readonly rest: Pick<Rest, "call">;
  readonly accounts: Pick<Accounts, "state" | "actorId">;
  readonly connections: Pick<Connections, "of" | "on" | "onOnline">;
  readonly servers: Pick<Servers, "state">;
  readonly instance: Pick<ClientInstance, "id">;
  readonly preferences: Pick<Preferences, "state">;
  readonly blocks: Pick<Blocks, "state" | "isBlocked">;
  /** Sends a payload to the account's other devices. */
  sendToDevices(payload: SyncPayloads): void;
  /** Called after a payload of another device was stored. */
  onApplied(listener: (applied: Applied) => void): () => void;
}

/** A server as chat sees it: its record, our user id there, its connection and its clock. */
export interface ChatRoom {
  readonly server: SavedServer;
  readonly actorId: string;
  readonly connection: Connection | null;
  now(): number;
}

type RoomDeps = Pick<ChatDeps, "platform" | "accounts" | "connections" | "servers">;

export function chatRoom(deps: RoomDeps, roomId: string): ChatRoom | undefined {
  const server = deps.servers.state.getState().servers.get(roomId);
  if (!server) return undefined;
  const { signalServerUrl, actorUserId } = server.room;
  const connection = deps.connections.of(signalServerUrl);
  return {
    server,
    actorId: deps.accounts.actorId(signalServerUrl) ?? actorUserId,
    connection,
    now: () => Math.floor(connection?.now() ?? deps.platform.now()),
  };
}

/** AB12: the users whose messages are ignored in a server. */
export const blockedIn = (deps: Pick<ChatDeps, "blocks" | "servers">, roomId: string): readonly string[] => {
  const url = deps.servers.state.getState().servers.get(roomId)?.room.signalServerUrl;
  return url === undefined ? [] : [...(deps.blocks.state.getState().get(url) ?? [])];
};

/** True while messages can be sent there: the connection is identified and the server is joined. */
export const isReachable = ({ server, connection }: ChatRoom): boolean =>
  server.joinState === "joined" && connection?.state.getState().status === "online";
