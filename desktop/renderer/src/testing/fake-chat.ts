import { createStore } from "zustand/vanilla";
import { channelKey } from "@hearth/client";
import type { Chat, ChannelActivity, ChatState, NewMention, TimelineMessage } from "@hearth/client";
import type { Readable } from "@hearth/client";
import type { ServersState } from "@hearth/client";
import type { MessagePosition } from "@hearth/store";
import type { ChannelRef } from "@hearth/store";
import type { Calls } from "./fake-calls.ts";
import type { FakeContent } from "./fake-content.ts";
import { createFakeTimeline, unreadOf } from "./fake-timeline.ts";

const positionOf = (message: TimelineMessage | undefined): MessagePosition | null =>
  message === undefined ? null : { timestamp: message.timestamp, id: message.id };

/** All talk of the rooms in memory. */
class Talk {
  readonly messages: Map<string, readonly TimelineMessage[]>;
  readonly read = new Map<string, MessagePosition | null>();
  readonly drafts = new Map<string, string>();
  readonly listeners = new Set<() => void>();
  readonly state = createStore<ChatState>(() => ({ activity: new Map(), typing: new Map() }));
  readonly #servers: Readable<ServersState>;

  constructor(content: FakeContent, servers: Readable<ServersState>) {
    this.messages = new Map(content.messages);
    this.#servers = servers;
    for (const [index, channel] of this.channels().entries()) {
      const behind = [0, 0, 3, 0, 1, 0, 14, 0, 2][index % 9] ?? 0;
      this.read.set(channelKey(channel), positionOf(this.of(channel).at(-1 - behind)));
    }
    this.announce();
  }

  channels(): readonly ChannelRef[] {
    return [...this.#servers.getState().servers.values()].flatMap(({ room }) =>
      room.channels
        .filter(({ kind }) => kind === "text")
        .map(({ id }) => ({ roomId: room.id, channelId: id })),
    );
  }

  userId({ roomId }: ChannelRef): string {
    return this.#servers.getState().servers.get(roomId)?.room.actorUserId ?? "";
  }

  of({ roomId, channelId }: ChannelRef): readonly TimelineMessage[] {
    return (this.messages.get(roomId) ?? []).filter((message) => message.channelId === channelId);
  }

  announce(): void {
    const activity = new Map<string, ChannelActivity>(
      this.channels().map((channel) => {
        const key = channelKey(channel);
        const all = this.of(channel);
        const unread = unreadOf(all, this.read.get(key) ?? null, this.userId(channel));
        const hasDraft = (this.drafts.get(key) ?? "") !== "";
        return [key, { ...unread, lastMessageAt: all.at(-1)?.timestamp ?? null, hasDraft }];
      }),
    );
    this.state.setState({ activity });
    for (const listener of [...this.listeners]) listener();
  }

  add(message: TimelineMessage): void {
    this.messages.set(message.roomId, [...(this.messages.get(message.roomId) ?? []), message]);
    this.announce();
  }

  change(messageId: string, change: (message: TimelineMessage) => TimelineMessage | null): void {
    for (const [roomId, all] of this.messages)
      if (all.some(({ id }) => id === messageId))
        this.messages.set(
          roomId,
          all.flatMap((message) => (message.id === messageId ? (change(message) ?? []) : message)),
        );
    this.announce();
  }

  markRead(channel: ChannelRef, position: MessagePosition): void {
    const before = this.read.get(channelKey(channel)) ?? null;
    if (before !== null && before.timestamp > position.timestamp) return;
    this.read.set(channelKey(channel), position);
    this.announce();
  }
}

const written = (talk: Talk, channel: ChannelRef, content: string, replyToId: string | null, at: number) => {
  const replied = talk.of(channel).find(({ id }) => id === replyToId);
  return {
    id: crypto.randomUUID(),
    ...channel,
    senderId: talk.userId(channel),
    senderDisplayName: "Nora",
    content,
    replyToId,
    mentions: [],
    timestamp: Math.max(at, (talk.of(channel).at(-1)?.timestamp ?? 0) + 1),
    revision: 0,
    editedAt: null,
    deletedAt: null,
    delivery: "pending",
    clientInstanceId: null,
    updatedAt: at,
    reactions: [],
    attachments: [],
    repliesTo: replied ?? null,
    problem: null,
  } satisfies TimelineMessage;
};

const reacted = (
  message: TimelineMessage,
  emoji: string,
  userId: string,
  present: boolean,
  createdAt: number,
): TimelineMessage => {
  const others = message.reactions.filter((it) => it.emoji !== emoji || it.userId !== userId);
  const own = { messageId: message.id, emoji, userId, createdAt };
  return { ...message, reactions: present ? [...others, own] : others };
};

/** What is done to messages that are there. */
const changesOf = (
  talk: Talk,
  { did }: Calls,
  now: () => number,
): Pick<Chat, "discard" | "edit" | "remove" | "react"> => ({
  async discard(id) {
    await did("chat.discard", id);
    talk.change(id, () => null);
  },
  async edit(id, text) {
    await did("chat.edit", { id, text });
    talk.change(id, (it) => ({ ...it, content: text, revision: it.revision + 1, editedAt: now() }));
  },
  async remove(id) {
    await did("chat.remove", id);
    talk.change(id, (it) => ({ ...it, content: "", deletedAt: now(), reactions: [], attachments: [] }));
  },
  async react(id, emoji, present) {
    await did("chat.react", { id, emoji, present });
    talk.change(id, (it) => reacted(it, emoji, talk.userId(it), present, now()));
  },
});

const timelineOf =
  (talk: Talk): Chat["timeline"] =>
  (channel) =>
    createFakeTimeline(channel, {
      all: () => talk.of(channel),
      subscribe(listener) {
        talk.listeners.add(listener);
        return () => void talk.listeners.delete(listener);
      },
      position: () => talk.read.get(channelKey(channel)) ?? null,
      markRead: (position) => talk.markRead(channel, position),
      userId: talk.userId(channel),
    });

export function createFakeChat(
  content: FakeContent,
  servers: Readable<ServersState>,
  calls: Calls,
  now: () => number,
) {
  const talk = new Talk(content, servers);
  const arrivals = new Set<(arrival: NewMention) => void>();
  const { did } = calls;
  const deliver = async (id: string): Promise<void> => {
    try {
      await did("chat.deliver", id);
      talk.change(id, (message) => ({ ...message, delivery: "sent", problem: null }));
    } catch {
      talk.change(id, (message) => ({ ...message, delivery: "failed", problem: calls.problem("FORBIDDEN") }));
    }
  };
  const chat: Chat = {
    state: talk.state,
    timeline: timelineOf(talk),
    ...changesOf(talk, calls, now),
    async send(channel, { content: text, replyToId = null, mentions = [] }) {
      await did("chat.send", { ...channel, text });
      const message = { ...written(talk, channel, text, replyToId, now()), mentions };
      talk.add(message);
      void deliver(message.id);
    },
    retry: async (id) => {
      talk.change(id, (message) => ({ ...message, delivery: "pending", problem: null }));
      await deliver(id);
    },
    typing: () => undefined,
    draft: async (channel) => talk.drafts.get(channelKey(channel)) ?? "",
    saveDraft(channel, text) {
      talk.drafts.set(channelKey(channel), text);
      talk.announce();
    },
    async markAllRead(roomId) {
      await did("chat.markAllRead", roomId);
      for (const channel of talk.channels().filter((it) => it.roomId === roomId))
        talk.read.set(channelKey(channel), positionOf(talk.of(channel).at(-1)));
      talk.announce();
    },
    search: async ({ text, roomId }) =>
      [...talk.messages.values()]
        .flat()
        .filter((it) => roomId === undefined || it.roomId === roomId)
        .filter((it) => it.content.toLowerCase().includes(text.toLowerCase()))
        .sort((one, other) => other.timestamp - one.timestamp),
    onArrival: (listener) => (arrivals.add(listener), () => void arrivals.delete(listener)),
    start: async () => undefined,
    stop: () => undefined,
  };
  const arrive = (message: TimelineMessage): void => {
    talk.add(message);
    const isMention = message.mentions.includes(talk.userId(message));
    for (const listener of [...arrivals]) listener({ channel: message, message, isMention });
  };
  return { chat, state: talk.state, arrive };
}
