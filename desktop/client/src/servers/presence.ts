import type { ClientMessage, RelayStamp, RoomUser, ServerMessage } from "@hearth/contracts";

export type Present = ReadonlyMap<string, RoomUser>;

type Relayed<Type extends "status_update" | "voice_state"> = ClientMessage<Type> & RelayStamp;

/** Events that change who is present in a server, or how. */
export type PresenceEvent =
  | Extract<ServerMessage, { readonly type: "user_joined" | "user_left" | "user_updated" | "member_updated" }>
  | Relayed<"status_update">
  | Relayed<"voice_state">;

export const presentOf = (users: readonly RoomUser[]): Present =>
  new Map(users.map((user) => [user.oderId, user]));

const withUser = (present: Present, user: RoomUser): Present => new Map(present).set(user.oderId, user);

function withoutUser(present: Present, userId: string): Present {
  if (!present.has(userId)) return present;
  const rest = new Map(present);
  rest.delete(userId);
  return rest;
}

/** Replaces a present user; otherwise nothing. */
function changedUser(present: Present, userId: string, change: (user: RoomUser) => RoomUser): Present {
  const user = present.get(userId);
  return user ? withUser(present, change(user)) : present;
}

const withStatus = (
  user: RoomUser,
  { status, statusText }: Pick<Relayed<"status_update">, "status" | "statusText">,
) => {
  const { statusText: _, ...rest } = user;
  return { ...rest, status, ...(statusText !== undefined && statusText !== "" && { statusText }) };
};

function withVoice(user: RoomUser, { channelId, muted, deafened }: Relayed<"voice_state">): RoomUser {
  const { voice, ...rest } = user;
  if (channelId === null) return rest;
  const before = voice ?? { muted: false, deafened: false };
  return {
    ...rest,
    voice: { channelId, muted: muted ?? before.muted, deafened: deafened ?? before.deafened },
  };
}

/** Who is present after the event; the same map if nothing changed. */
export function presentAfter(present: Present, event: PresenceEvent): Present {
  switch (event.type) {
    case "user_joined":
      return withUser(present, event.user);
    case "user_left":
      return withoutUser(present, event.oderId);
    case "user_updated":
      return changedUser(present, event.oderId, (user) => ({ ...user, displayName: event.displayName }));
    case "member_updated":
      return changedUser(present, event.userId, (user) => ({ ...user, displayName: event.displayName }));
    case "status_update":
      return changedUser(present, event.fromUserId, (user) => withStatus(user, event));
    case "voice_state":
      return changedUser(present, event.fromUserId, (user) => withVoice(user, event));
  }
}

/** The server of an event; `null` if it is about all servers of the instance that the user is in. */
export const serverIdOf = (event: PresenceEvent): string | null =>
  event.type === "user_updated" ? null : (event.serverId ?? null);
