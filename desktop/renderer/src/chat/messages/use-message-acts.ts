import { useMemo } from "react";
import type { Dispatch, RefObject, SetStateAction } from "react";
import type { TimelineMessage } from "@hearth/client";
import type { Client } from "@hearth/client";
import { useClient } from "../../context/client-context.tsx";
import { useAnnouncer } from "../../ui/announcer.tsx";
import { useShell } from "../../context/shell-context.tsx";
import { problemSentence } from "../../strings/problem-sentence.ts";
import { strings } from "../../strings/strings.ts";
import type { MessageActs } from "../conversation-context.tsx";
import type { TimelineHandle } from "../timeline/timeline-view.tsx";

/** What the conversation is in the middle of. */
export interface Business {
  readonly replyTo: TimelineMessage | null;
  readonly editing: TimelineMessage | null;
  readonly removing: TimelineMessage | null;
  readonly reacting: { readonly message: TimelineMessage; readonly anchor: Element } | null;
}

export const NO_BUSINESS: Business = { replyTo: null, editing: null, removing: null, reacting: null };

export const hasReacted = ({ reactions }: TimelineMessage, emoji: string, ownId: string): boolean =>
  reactions.some((it) => it.emoji === emoji && it.userId === ownId);

interface Way {
  readonly client: Client;
  readonly ownId: string;
  readonly setBusiness: Dispatch<SetStateAction<Business>>;
  readonly timeline: RefObject<TimelineHandle | null>;
  readonly say: (sentence: string) => void;
  readonly tell: (sentence: string) => void;
}

function actsOf({ client, ownId, setBusiness, timeline, say, tell }: Way): MessageActs {
  const { chat } = client;
  const attempt = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      tell(problemSentence(error));
    }
  };
  const begin = (changes: Partial<Business>): void => setBusiness({ ...NO_BUSINESS, ...changes });
  return {
    reply: (message) => begin({ replyTo: message }),
    edit: (message) => begin({ editing: message }),
    remove: (message) => setBusiness((it) => ({ ...it, removing: message })),
    react: (message, emoji) =>
      void attempt(chat.react(message.id, emoji, !hasReacted(message, emoji, ownId))),
    chooseReaction: (message, anchor) => setBusiness((it) => ({ ...it, reacting: { message, anchor } })),
    retry: ({ id }) => void attempt(chat.retry(id)),
    discard: ({ id }) => void attempt(chat.discard(id)),
    jumpTo: (messageId) => timeline.current?.jumpTo(messageId),
    copy: (text, said) => {
      const write = async (): Promise<void> => {
        try {
          await navigator.clipboard.writeText(text);
          say(said);
        } catch {
          tell(strings.chat.copyFailed);
        }
      };
      void write();
    },
  };
}

/** The acts of a conversation. What fails is told by a notice, so that nothing seems done that was not. */
export function useMessageActs(
  ownId: string,
  setBusiness: Dispatch<SetStateAction<Business>>,
  timeline: RefObject<TimelineHandle | null>,
): MessageActs {
  const client = useClient();
  const { say } = useAnnouncer();
  const { tell } = useShell();
  return useMemo(
    () => actsOf({ client, ownId, setBusiness, timeline, say, tell }),
    [client, ownId, setBusiness, timeline, say, tell],
  );
}
