import { useCallback, useEffect, useRef, useState } from "react";
import type { TimelineMessage } from "../../../client/chat/chat.ts";
import type { ChannelPlace } from "../../../store/history.ts";
import { useClient } from "../../client-context.tsx";

export interface ComposerText {
  readonly text: string;
  readonly caret: number;
  readonly change: (text: string, caret: number) => void;
  readonly moveCaret: (caret: number) => void;
}

interface Draft {
  readonly text: string;
  readonly caret: number;
}

const EMPTY: Draft = { text: "", caret: 0 };

/**
 * What is written in the composer: the draft of the channel, kept over restarts, or the message that is being edited.
 * An edit leaves the draft alone.
 */
export function useText({ roomId, channelId }: ChannelPlace, editing: TimelineMessage | null): ComposerText {
  const { chat } = useClient();
  const [draft, setDraft] = useState(EMPTY);
  const [edit, setEdit] = useState<(Draft & { readonly of: string }) | null>(null);
  const isTouched = useRef(false);
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

  const editingId = editing?.id ?? null;
  if (editing !== null && edit?.of !== editing.id)
    setEdit({ of: editing.id, text: editing.content, caret: editing.content.length });
  if (editing === null && edit !== null) setEdit(null);

  const change = useCallback(
    (text: string, caret: number) => {
      if (editingId !== null) {
        setEdit({ of: editingId, text, caret });
        return;
      }
      isTouched.current = true;
      setDraft({ text, caret });
      chat.saveDraft({ roomId, channelId }, text);
    },
    [chat, roomId, channelId, editingId],
  );
  const moveCaret = useCallback(
    (to: number) => {
      if (editingId === null) setDraft((it) => ({ ...it, caret: to }));
      else setEdit((it) => (it === null ? it : { ...it, caret: to }));
    },
    [editingId],
  );
  const { text, caret } = editingId === null ? draft : (edit ?? EMPTY);
  return { text, caret, change, moveCaret };
}
