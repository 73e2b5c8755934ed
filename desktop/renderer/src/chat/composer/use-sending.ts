import { useState } from "react";
import { mentionsIn } from "@hearth/client";
import type { TimelineMessage } from "@hearth/client";
import type { ChannelRef } from "@hearth/store";
import { useClient } from "../../context/client-context.tsx";
import { problemSentence } from "../../strings/problem-sentence.ts";
import type { Person } from "../people-by-id.ts";
import type { ComposerText } from "./use-text.ts";

interface About {
  readonly channel: ChannelRef;
  readonly people: readonly Person[];
  readonly replyTo: TimelineMessage | null;
  readonly editing: TimelineMessage | null;
  readonly onDone: () => void;
}

export interface Sending {
  /** Why the last one could not be kept. */
  readonly problem: string | null;
  readonly send: () => void;
}

/** Hands over what was written. The text field is empty at once, and has the text again when it could not be kept. */
export function useSending({ text, change, giveBack }: ComposerText, about: About): Sending {
  const { chat } = useClient();
  const [problem, setProblem] = useState<string | null>(null);
  const { channel, people, replyTo, editing, onDone } = about;

  const sendNew = async (content: string): Promise<void> => {
    change("", 0);
    try {
      const mentions = mentionsIn(content, people);
      await chat.send(channel, { content, replyToId: replyTo?.id ?? null, mentions });
      onDone();
    } catch (error) {
      giveBack(content);
      setProblem(problemSentence(error));
    }
  };
  const saveEdit = async (messageId: string, content: string): Promise<void> => {
    try {
      await chat.edit(messageId, content);
      onDone();
    } catch (error) {
      setProblem(problemSentence(error));
    }
  };
  return {
    problem,
    send: () => {
      const content = text.trim();
      if (content === "") return;
      setProblem(null);
      if (editing === null) void sendNew(content);
      else if (content === editing.content) onDone();
      else void saveEdit(editing.id, content);
    },
  };
}
