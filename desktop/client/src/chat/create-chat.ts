import { createStore } from "zustand/vanilla";
import type { ChannelRef } from "@hearth/store";
import type { AccountsState } from "../accounts/accounts.ts";
import { blockedUsers } from "../blocks/blocks.ts";
import { ActivityTracker } from "./activity-tracker.ts";
import { channelsOf } from "./channels.ts";
import type { Chat, ChatState } from "./chat.ts";
import { blockedIn, chatRoom } from "./chat-deps.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { Drafts } from "./drafts.ts";
import { createFailures } from "./failures.ts";
import { createPossiblySent } from "./outbox/possibly-sent.ts";
import { createMessageDetails } from "./message-details.ts";
import { positionOf } from "./message-position.ts";
import { createMessageTimes } from "./message-times.ts";
import { createChatEvents } from "./chat-events.ts";
import { Outbox } from "./outbox/outbox.ts";
import { ReadPositions } from "./reading/read-positions.ts";
import { ChatReceiver } from "./receiving/chat-receiver.ts";
import { ChannelTimeline } from "./timeline/timeline.ts";
import { createTypingTracker } from "./typing.ts";
import { MessageActions } from "./message-actions.ts";

const MAX_RESULTS = 100;

function createParts(deps: ChatDeps) {
  const state = createStore<ChatState>(() => ({ activity: new Map(), typing: new Map() }));
  const events = createChatEvents(deps.platform);
  const failures = createFailures(deps.store);
  const reads = new ReadPositions(deps, events);
  const drafts = new Drafts(deps, events);
  const typing = createTypingTracker(deps, state);
  const receiver = new ChatReceiver(deps, { events, typing });
  const times = createMessageTimes(deps.store);
  const possiblySent = createPossiblySent(deps.store);
  const outbox = new Outbox(deps, { failures, possiblySent, times, events });
  const tracker = new ActivityTracker(deps, { events, reads, drafts, state });
  const actions = new MessageActions(deps, { failures, events, times, outbox });
  const details = createMessageDetails(deps.store, async (message) => failures.of(message));
  return { state, events, reads, drafts, typing, receiver, outbox, tracker, actions, details };
}

type Parts = ReturnType<typeof createParts>;

const signedInUser = ({ homeUrl, instances }: AccountsState): string | null => {
  const home = instances.find(({ url }) => url === homeUrl);
  return home?.account ? `${home.url} ${home.account.userId}` : null;
};

/**
 * Another account has another store: clears what was read from the previous one, before any of it is shown or
 * written.
 */
function followUser({ accounts }: ChatDeps, { reads, drafts, typing, tracker }: Parts): () => void {
  let user = signedInUser(accounts.state.getState());
  return accounts.state.subscribe((now) => {
    const next = signedInUser(now) ?? user;
    if (next === user) return;
    const isOther = user !== null;
    user = next;
    if (!isOther) return;
    for (const part of [reads, drafts, typing]) part.clear();
    void Promise.allSettled([reads.load(), drafts.load()]).then(() => tracker.recount());
  });
}

/** Connects the parts of chat to the events around them. Returns a function that disconnects them. */
function connect(deps: ChatDeps, parts: Parts): () => void {
  const { events, reads, drafts, receiver, outbox } = parts;
  const flush = (): void => {
    void reads.flush();
    void drafts.flush();
  };
  const reread = (roomId: string): void => {
    void reads.reload(roomId).catch(() => undefined);
  };
  const unsubscribers = [
    deps.connections.on((url, message) => receiver.receive(url, message)),
    deps.onApplied((applied) => {
      if (applied.kind === "read") reread(applied.roomId);
      if (applied.kind !== "messages") return;
      events.emit({ kind: "messages", roomId: applied.roomId, messageIds: applied.messageIds });
      receiver.stored(applied.messageIds);
    }),
    events.on((item, from) => {
      if (from === "here") return;
      if (item.kind === "read") reread(item.roomId);
      if (item.kind !== "messages") return;
      receiver.stored(item.messageIds);
      outbox.flush(item.roomId);
    }),
    deps.platform.attention.subscribe((now, before) => {
      if (before.isVisible && !now.isVisible) flush();
    }),
    deps.accounts.state.subscribe((now, before) => {
      if (before.phase === "signed-in" && now.phase === "signed-out") flush();
    }),
    followUser(deps, parts),
  ];
  return () => {
    for (const disconnect of unsubscribers) disconnect();
    flush();
  };
}

const searchOf = async ({ store, blocks }: ChatDeps, query: Parameters<Chat["search"]>[0]) =>
  store.searchMessages({ ...query, limit: MAX_RESULTS, without: blockedUsers(blocks.state.getState()) });

/** See `Chat`. */
export function createChat(deps: ChatDeps): Chat {
  const parts = createParts(deps);
  const { state, events, reads, drafts, typing, receiver, outbox, tracker, actions } = parts;
  const { promise: isLoaded, resolve: loaded } = Promise.withResolvers<undefined>();
  let disconnect: (() => void) | null = null;

  async function markAllRead(roomId: string): Promise<void> {
    const room = chatRoom(deps, roomId);
    const newest = async (channel: ChannelRef): Promise<void> => {
      const { messages } = await deps.store.messagesBefore(channel, { limit: 1, before: null });
      const [last] = messages;
      if (last) reads.advance(channel, positionOf(last));
    };
    await Promise.all((room ? channelsOf(room.server.room) : []).map(newest));
  }

  return {
    state,
    retry: async (messageId) => actions.retry(messageId),
    discard: async (messageId) => actions.discard(messageId),
    edit: async (messageId, content) => actions.edit(messageId, content),
    remove: async (messageId) => actions.remove(messageId),
    react: async (messageId, emoji, present) => actions.react(messageId, emoji, present),
    async send(channel, message) {
      await actions.send(channel, message);
      typing.messageSent(channel);
    },
    timeline: (channel) =>
      new ChannelTimeline(channel, {
        ...{ platform: deps.platform, store: deps.store, chat: state, events, reads, details: parts.details },
        actorId: () => chatRoom(deps, channel.roomId)?.actorId ?? "",
        blocked: () => blockedIn(deps, channel.roomId),
        isLoaded,
      }),
    typing: (channel, text) => (text === "" ? typing.cleared(channel) : typing.typed(channel)),
    draft: async (channel) => drafts.text(channel),
    saveDraft: (channel, text) => drafts.save(channel, text),
    markAllRead,
    search: async (query) => searchOf(deps, query),
    onArrival: (listener) => receiver.onArrival(listener),
    async start() {
      disconnect ??= connect(deps, parts);
      events.start();
      await Promise.allSettled([reads.load(), drafts.load()]);
      loaded(undefined);
      tracker.start();
      outbox.start();
    },
    stop() {
      disconnect?.();
      disconnect = null;
      events.stop();
      typing.clear();
      receiver.stop();
      outbox.stop();
      tracker.stop();
    },
  };
}
