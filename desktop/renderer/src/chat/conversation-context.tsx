import { createContext, use } from "react";
import type { TimelineMessage } from "@hearth/client";
import type { DeviceRoom } from "@hearth/device";
import type { CustomEmoji } from "./emoji/custom-emoji.ts";
import type { Person } from "./people-by-id.ts";

/** What the messages of one conversation share. It stays the same while nothing of it changes. */
export interface Conversation {
  readonly room: DeviceRoom | null;
  /** The account's user id here. */
  readonly ownId: string;
  readonly people: ReadonlyMap<string, Person>;
  /** AB12: whose messages are folded up. */
  readonly blocked: ReadonlySet<string>;
  /** AB8: whose name could be taken for another one's here. */
  readonly lookalikes: ReadonlySet<string>;
  readonly emoji: ReadonlyMap<string, CustomEmoji>;
  readonly isOnline: boolean;
  readonly act: MessageActs;
}

/** What can be done with a message; these never change. */
export interface MessageActs {
  readonly reply: (message: TimelineMessage) => void;
  readonly edit: (message: TimelineMessage) => void;
  readonly remove: (message: TimelineMessage) => void;
  readonly react: (message: TimelineMessage, emoji: string) => void;
  readonly chooseReaction: (message: TimelineMessage, anchor: Element) => void;
  readonly retry: (message: TimelineMessage) => void;
  readonly discard: (message: TimelineMessage) => void;
  readonly jumpTo: (messageId: string) => void;
  readonly copy: (text: string, said: string) => void;
}

const ConversationContext = createContext<Conversation | undefined>(undefined);

export const ConversationProvider = ConversationContext;

export function useConversation(): Conversation {
  const conversation = use(ConversationContext);
  if (conversation === undefined) throw new Error("A message is shown in a conversation");
  return conversation;
}

/** Whether the controls of a message are stops of the Tab key: only those of the one that has the arrow keys' focus. */
export const TabStops = createContext(0);
export const useTabIndex = (): number => use(TabStops);
