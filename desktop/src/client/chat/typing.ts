import type { StoreApi } from "zustand/vanilla";
import type { ChannelPlace } from "../../store/history.ts";
import { channelKey } from "./chat.ts";
import type { ChatState } from "./chat.ts";
import { chatRoom } from "./chat-deps.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { addressOf } from "./message-records.ts";

type TypingDeps = Pick<ChatDeps, "platform" | "accounts" | "connections" | "places" | "preferences">;

interface Sign {
  readonly serverId: string;
  readonly channelId: string | null;
  readonly fromUserId: string;
  readonly fromDisplayName: string;
}

export interface TypingBoard {
  /** Somebody types, or says that they stopped. */
  heard(sign: Sign & { readonly isTyping: boolean }): void;
  /** Somebody wrote, so they type no more. */
  wrote(sign: Sign): void;
  /** This person typed something. */
  typed(place: ChannelPlace): void;
  /** This person wrote: the next keystroke begins another message. */
  finished(place: ChannelPlace): void;
  clear(): void;
}

const EXPIRES_MS = 6_000;
const REPEAT_MS = 3_000;
/** People kept for one channel; more than that are a crowd. */
const MOST_PEOPLE = 100;

interface Typist {
  readonly displayName: string;
  readonly until: number;
}

type Channels = Map<string, Map<string, Typist>>;

const shown = (channels: Channels): ChatState["typing"] =>
  new Map(
    [...channels].map(([key, people]) => [
      key,
      [...people].map(([userId, { displayName }]) => ({ userId, displayName })),
    ]),
  );

/** Takes out whom nothing was heard of for a while; when the next one is due. */
function expire(channels: Channels, now: number): { readonly changed: boolean; readonly next: number } {
  let changed = false;
  let next = Infinity;
  for (const [key, people] of channels) {
    for (const [userId, { until }] of people) {
      if (until > now) next = Math.min(next, until);
      else changed = people.delete(userId) || changed;
    }
    if (people.size === 0) channels.delete(key);
  }
  return { changed, next };
}

/** Who is typing, and telling that this person does. */
export function createTypingBoard(deps: TypingDeps, state: StoreApi<ChatState>): TypingBoard {
  const { platform } = deps;
  const channels: Channels = new Map();
  const told = new Map<string, number>();
  let callOff: (() => void) | null = null;

  const publish = (): void => state.setState({ typing: shown(channels) });

  function sweep(): void {
    callOff?.();
    callOff = null;
    const now = platform.now();
    const { changed, next } = expire(channels, now);
    if (changed) publish();
    if (next < Infinity) callOff = platform.later(next - now, sweep);
  }

  function begin(key: string, { fromUserId, fromDisplayName }: Sign): void {
    const people = channels.get(key) ?? new Map<string, Typist>();
    const known = people.get(fromUserId);
    if (!known && people.size >= MOST_PEOPLE) return;
    people.set(fromUserId, { displayName: fromDisplayName, until: platform.now() + EXPIRES_MS });
    channels.set(key, people);
    if (known?.displayName !== fromDisplayName) publish();
    if (callOff === null) callOff = platform.later(EXPIRES_MS, sweep);
  }

  function end(key: string, userId: string): void {
    if (channels.get(key)?.delete(userId) !== true) return;
    publish();
    sweep();
  }

  return {
    heard(sign) {
      const key = channelKey({ roomId: sign.serverId, channelId: sign.channelId });
      if (chatRoom(deps, sign.serverId)?.actorId === sign.fromUserId) return;
      if (sign.isTyping) begin(key, sign);
      else end(key, sign.fromUserId);
    },
    wrote: ({ serverId: roomId, channelId, fromUserId }) =>
      end(channelKey({ roomId, channelId }), fromUserId),
    typed(place) {
      const room = chatRoom(deps, place.roomId);
      const key = channelKey(place);
      const now = platform.now();
      if (!room?.connection || !deps.preferences.state.getState().tellsTyping) return;
      if (now - (told.get(key) ?? -Infinity) < REPEAT_MS) return;
      told.set(key, now);
      room.connection.cast({ type: "user_typing", ...addressOf(place), isTyping: true });
    },
    finished: (place) => void told.delete(channelKey(place)),
    clear() {
      callOff?.();
      callOff = null;
      channels.clear();
      publish();
    },
  };
}
