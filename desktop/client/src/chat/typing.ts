import type { StoreApi } from "zustand/vanilla";
import type { ChannelRef } from "@hearth/store";
import type { Connection } from "../connection/connection.ts";
import { channelKey } from "./chat.ts";
import type { ChatState } from "./chat.ts";
import { chatRoom } from "./chat-deps.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { addressOf } from "./message-records.ts";

type TypingDeps = Pick<ChatDeps, "platform" | "accounts" | "connections" | "servers" | "preferences">;

interface Sign {
  readonly serverId: string;
  readonly channelId: string | null;
  readonly fromUserId: string;
  readonly fromDisplayName: string;
}

export interface TypingTracker {
  /** A user types, or stopped typing. */
  received(sign: Sign & { readonly isTyping: boolean }): void;
  /** A user sent a message, so they stopped typing. */
  messageReceived(sign: Sign): void;
  /** Our user typed. */
  typed(channel: ChannelRef): void;
  /** Our user cleared the text. */
  cleared(channel: ChannelRef): void;
  /** Our user sent a message. The next keystroke starts anew. */
  messageSent(channel: ChannelRef): void;
  clear(): void;
}

const EXPIRES_MS = 6_000;
const REPEAT_MS = 3_000;
/** Minimum time between two starts with an end in between. */
const AGAIN_MS = 1_000;
/** How many users are kept per channel. */
const MAX_PEOPLE = 100;

/** What was sent last, and when that typing began. */
interface SentSign {
  readonly at: number;
  readonly isTyping: boolean;
}

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

/** Removes expired users. Returns whether any was removed, and when the next one expires. */
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

/** The typing indicators of our user. */
function ownSigns(deps: TypingDeps): Pick<TypingTracker, "typed" | "cleared" | "messageSent"> {
  const { platform } = deps;
  const sent = new Map<string, SentSign>();
  const send = (channel: ChannelRef, connection: Connection, sign: SentSign): void => {
    sent.set(channelKey(channel), sign);
    connection.cast({ type: "user_typing", ...addressOf(channel), isTyping: sign.isTyping });
  };
  return {
    typed(channel) {
      const connection = chatRoom(deps, channel.roomId)?.connection;
      const now = platform.now();
      if (!connection || !deps.preferences.state.getState().tellsTyping) return;
      const last = sent.get(channelKey(channel));
      if (last && now - last.at < (last.isTyping ? REPEAT_MS : AGAIN_MS)) return;
      send(channel, connection, { at: now, isTyping: true });
    },
    cleared(channel) {
      const connection = chatRoom(deps, channel.roomId)?.connection;
      const last = sent.get(channelKey(channel));
      // The receivers have let it expire.
      if (!connection || !last?.isTyping || platform.now() - last.at >= EXPIRES_MS) return;
      send(channel, connection, { ...last, isTyping: false });
    },
    messageSent: (channel) => void sent.delete(channelKey(channel)),
  };
}

/** Typing indicators, received and sent. */
export function createTypingTracker(deps: TypingDeps, state: StoreApi<ChatState>): TypingTracker {
  const { platform } = deps;
  const channels: Channels = new Map();
  let cancelSweep: (() => void) | null = null;

  const publish = (): void => state.setState({ typing: shown(channels) });

  function sweep(): void {
    cancelSweep?.();
    cancelSweep = null;
    const now = platform.now();
    const { changed, next } = expire(channels, now);
    if (changed) publish();
    if (next < Infinity) cancelSweep = platform.later(next - now, sweep);
  }

  function begin(key: string, { fromUserId, fromDisplayName }: Sign): void {
    const people = channels.get(key) ?? new Map<string, Typist>();
    const known = people.get(fromUserId);
    if (!known && people.size >= MAX_PEOPLE) return;
    people.set(fromUserId, { displayName: fromDisplayName, until: platform.now() + EXPIRES_MS });
    channels.set(key, people);
    if (known?.displayName !== fromDisplayName) publish();
    if (cancelSweep === null) cancelSweep = platform.later(EXPIRES_MS, sweep);
  }

  function end(key: string, userId: string): void {
    if (channels.get(key)?.delete(userId) !== true) return;
    publish();
    sweep();
  }

  return {
    received(sign) {
      const key = channelKey({ roomId: sign.serverId, channelId: sign.channelId });
      if (chatRoom(deps, sign.serverId)?.actorId === sign.fromUserId) return;
      if (sign.isTyping) begin(key, sign);
      else end(key, sign.fromUserId);
    },
    messageReceived: ({ serverId: roomId, channelId, fromUserId }) =>
      end(channelKey({ roomId, channelId }), fromUserId),
    ...ownSigns(deps),
    clear() {
      cancelSweep?.();
      cancelSweep = null;
      channels.clear();
      publish();
    },
  };
}
