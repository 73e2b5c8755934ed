import { useCallback, useEffect, useRef, useState } from "react";
import type { TimelineMessage } from "@hearth/client";
import type { ChannelRef } from "@hearth/store";
import { useClient } from "../../context/client-context.tsx";

export interface ComposerText {
  readonly text: string;
  readonly caret: number;
  readonly change: (text: string, caret: number) => void;
  readonly moveCaret: (caret: number) => void;
  /** Puts a text that could not be sent before whatever was written meanwhile. */
  readonly giveBack: (text: string) => void;
}

interface Draft {
  readonly text: string;
  readonly caret: number;
}

const EMPTY: Draft = { text: "", caret: 0 };

/** The draft of a channel, kept over restarts. */
function useDraft({ roomId, channelId }: ChannelRef) {
  const { chat } = useClient();
  const [draft, setDraft] = useState(EMPTY);
  const isTouched = useRef(false);
  const current = useRef(draft);
  useEffect(() => {
    current.current = draft;
  }, [draft]);
  useEffect(() => {
    let isWanted = true;
    const restore = async (): Promise<void> => {
      try {
        const text = await chat.draft({ roomId, channelId });
        // What was typed before the store answered is newer.
        if (isWanted && !isTouched.current) setDraft({ text, caret: text.length });
      } catch {
        // A draft that cannot be read is not worth an error: the composer is empty.
      }
    };
    void restore();
    return () => {
      isWanted = false;
    };
  }, [chat, roomId, channelId]);
  const write = useCallback(
    (next: Draft) => {
      isTouched.current = true;
      setDraft(next);
      chat.saveDraft({ roomId, channelId }, next.text);
    },
    [chat, roomId, channelId],
  );
  const giveBack = useCallback(
    (back: string) => {
      const meanwhile = current.current.text;
      const text = meanwhile === "" ? back : `${back}\n${meanwhile}`;
      write({ text, caret: text.length });
    },
    [write],
  );
  return { draft, setDraft, write, giveBack };
}

/** What is written in the composer: the draft, or the message that is being edited, which leaves the draft alone. */
export function useText(channel: ChannelRef, editing: TimelineMessage | null): ComposerText {
  const { draft, setDraft, write, giveBack } = useDraft(channel);
  const [edit, setEdit] = useState<(Draft & { readonly of: string }) | null>(null);
  if (editing !== null && edit?.of !== editing.id)
    setEdit({ of: editing.id, text: editing.content, caret: editing.content.length });
  if (editing === null && edit !== null) setEdit(null);
  const editingId = editing?.id ?? null;
  const change = (text: string, caret: number): void => {
    if (editingId === null) write({ text, caret });
    else setEdit({ of: editingId, text, caret });
  };
  const moveCaret = (caret: number): void => {
    if (editingId === null) setDraft((it) => ({ ...it, caret }));
    else setEdit((it) => (it === null ? it : { ...it, caret }));
  };
  const { text, caret } = editingId === null ? draft : (edit ?? EMPTY);
  return { text, caret, change, moveCaret, giveBack };
}
