import { createStore } from "zustand/vanilla";
import type { ChannelPlace } from "@hearth/store";
import type { AccountsState } from "../accounts/accounts.ts";
import { blockedUsers } from "../blocks/blocks.ts";
import { ActivityBoard } from "./activity-board.ts";
import { channelsOf } from "./channels.ts";
import type { Chat, ChatState } from "./chat.ts";
import { blockedIn, chatRoom } from "./chat-deps.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { Drafts } from "./drafts.ts";
import { createFailures } from "./failures.ts";
import { createHandedOver } from "./outbox/handed-over.ts";
import { createMessageDetails } from "./message-details.ts";
import { positionOf } from "./message-position.ts";
import { createMessageTimes } from "./message-times.ts";
import { createNewsDesk } from "./news.ts";
import { Outbox } from "./outbox/outbox.ts";
import { ReadPositions } from "./reading/read-positions.ts";
import { Reception } from "./reception/reception.ts";
import { ChannelTimeline } from "./timeline/timeline.ts";
import { createTypingBoard } from "./typing.ts";
import { Writing } from "./writing.ts";

const MOST_FOUND = 100;

function createParts(deps: ChatDeps) {
  const state = createStore<ChatState>(() => ({ activity: new Map(), typing: new Map() }));
  const news = createNewsDesk(deps.platform);
  const failures = createFailures(deps.store);
  const reads = new ReadPositions(deps, news);
  const drafts = new Drafts(deps, news);
  const typing = createTypingBoard(deps, state);
  const reception = new Reception(deps, { news, typing });
  const times = createMessageTimes(deps.store);
  const handedOver = createHandedOver(deps.store);
  const outbox = new Outbox(deps, { failures, handedOver, times, news });
  const board = new ActivityBoard(deps, { news, reads, drafts, state });
  const writing = new Writing(deps, { failures, news, times, outbox });
  const details = createMessageDetails(deps.store, async (message) => failures.of(message));
  return { state, news, reads, drafts, typing, reception, outbox, board, writing, details };
}

type Parts = ReturnType<typeof createParts>;

const personOf = ({ homeUrl, servers }: AccountsState): string | null => {
  const home = servers.find(({ url }) => url === homeUrl);
  return home?.account ? `${home.url} ${home.account.userId}` : null;
};

/** Another account has another store: nothing of the one before may be shown, or written down. */
function followPerson({ accounts }: ChatDeps, { reads, drafts, typing, board }: Parts): () => void {
  let person = personOf(accounts.state.getState());
  return accounts.state.subscribe((now) => {
    const next = personOf(now) ?? person;
    if (next === person) return;
    const isAnother = person !== null;
    person = next;
    if (!isAnother) return;
    for (const part of [reads, drafts, typing]) part.clear();
    void Promise.allSettled([reads.load(), drafts.load()]).then(() => board.recount());
  });
}

/** Lets what happens around chat reach its parts; returns how to end that. */
function connect(deps: ChatDeps, parts: Parts): () => void {
  const { news, reads, drafts, reception, outbox } = parts;
  const flush = (): void => {
    void reads.flush();
    void drafts.flush();
  };
  const reread = (roomId: string): void => {
    void reads.reload(roomId).catch(() => undefined);
  };
  const leaves = [
    deps.connections.on((url, message) => reception.receive(url, message)),
    deps.onApplied((applied) => {
      if (applied.kind === "read") reread(applied.roomId);
      if (applied.kind !== "messages") return;
      news.tell({ kind: "messages", roomId: applied.roomId, messageIds: applied.messageIds });
      reception.stored(applied.messageIds);
    }),
    news.on((item, from) => {
      if (from === "here") return;
      if (item.kind === "read") reread(item.roomId);
      if (item.kind !== "messages") return;
      reception.stored(item.messageIds);
      outbox.flush(item.roomId);
    }),
    deps.platform.attention.subscribe((now, before) => {
      if (before.isVisible && !now.isVisible) flush();
    }),
    deps.accounts.state.subscribe((now, before) => {
      if (before.phase === "signed-in" && now.phase === "signed-out") flush();
    }),
    followPerson(deps, parts),
  ];
  return () => {
    for (const leave of leaves) leave();
    flush();
  };
}

const searchOf = async ({ store, blocks }: ChatDeps, query: Parameters<Chat["search"]>[0]) =>
  store.searchMessages({ ...query, limit: MOST_FOUND, without: blockedUsers(blocks.state.getState()) });

/** Messages of all rooms (see `Chat`). */
export function createChat(deps: ChatDeps): Chat {
  const parts = createParts(deps);
  const { state, news, reads, drafts, typing, reception, outbox, board, writing } = parts;
  const { promise: isLoaded, resolve: loaded } = Promise.withResolvers<undefined>();
  let leave: (() => void) | null = null;

  async function markAllRead(roomId: string): Promise<void> {
    const room = chatRoom(deps, roomId);
    const newest = async (place: ChannelPlace): Promise<void> => {
      const { messages } = await deps.store.messagesBefore(place, { limit: 1, before: null });
      const [last] = messages;
      if (last) reads.advance(place, positionOf(last));
    };
    await Promise.all((room ? channelsOf(room.place.room) : []).map(newest));
  }

  return {
    state,
    retry: async (messageId) => writing.retry(messageId),
    discard: async (messageId) => writing.discard(messageId),
    edit: async (messageId, content) => writing.edit(messageId, content),
    remove: async (messageId) => writing.remove(messageId),
    react: async (messageId, emoji, present) => writing.react(messageId, emoji, present),
    async send(place, message) {
      await writing.send(place, message);
      typing.finished(place);
    },
    timeline: (place) =>
      new ChannelTimeline(place, {
        ...{ platform: deps.platform, store: deps.store, chat: state, news, reads, details: parts.details },
        actorId: () => chatRoom(deps, place.roomId)?.actorId ?? "",
        blocked: () => blockedIn(deps, place.roomId),
        isLoaded,
      }),
    typing: (place, text) => (text === "" ? typing.emptied(place) : typing.typed(place)),
    draft: async (place) => drafts.text(place),
    saveDraft: (place, text) => drafts.save(place, text),
    markAllRead,
    search: async (query) => searchOf(deps, query),
    onArrival: (listener) => reception.onArrival(listener),
    async start() {
      leave ??= connect(deps, parts);
      news.start();
      await Promise.allSettled([reads.load(), drafts.load()]);
      loaded(undefined);
      board.start();
      outbox.start();
    },
    stop() {
      leave?.();
      leave = null;
      news.stop();
      typing.clear();
      reception.stop();
      outbox.stop();
      board.stop();
    },
  };
}
