import { useEffect, useRef } from "react";
import type { Dispatch, RefObject, SetStateAction } from "react";
import { useClient } from "../../context/client-context.tsx";
import { useShell } from "../../context/shell-context.tsx";
import { problemSentence } from "../../strings/problem-sentence.ts";
import { strings } from "../../strings/strings.ts";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog.tsx";
import type { ComposerHandle } from "../composer/composer.tsx";
import { useConversation } from "../conversation-context.tsx";
import { EmojiPopover } from "../emoji/emoji-popover.tsx";
import { previewOf } from "../markdown/preview.ts";
import { messageElementOf } from "./message-element.ts";
import type { Business } from "./use-message-acts.ts";
import "../../ui/overlays/quote.css";

interface Props {
  readonly business: Business;
  readonly setBusiness: Dispatch<SetStateAction<Business>>;
  readonly composer: RefObject<ComposerHandle | null>;
}

/** What opens over the conversation for one message: the choice of a reaction, and the question before it is deleted. */
export function MessageOverlays({ business, setBusiness, composer }: Props) {
  const { chat } = useClient();
  const { tell } = useShell();
  const { act, emoji } = useConversation();
  const { removing, reacting } = business;
  const lastAnchor = useRef<Element | null>(null);
  useEffect(() => {
    if (reacting !== null) lastAnchor.current = reacting.anchor;
  }, [reacting]);
  const remove = async (messageId: string): Promise<void> => {
    try {
      await chat.remove(messageId);
    } catch (error) {
      tell(problemSentence(error));
    }
  };
  return (
    <>
      <EmojiPopover
        anchor={reacting?.anchor ?? null}
        custom={emoji}
        onPick={(picked) => {
          if (reacting !== null) act.react(reacting.message, picked);
        }}
        onClose={() => setBusiness((it) => ({ ...it, reacting: null }))}
        finalFocus={() => messageElementOf(lastAnchor.current)}
      />
      <ConfirmDialog
        open={removing !== null}
        title={strings.chat.removeTitle}
        confirm={strings.chat.remove}
        onClose={() => {
          setBusiness((it) => ({ ...it, removing: null }));
          composer.current?.focus();
        }}
        onConfirm={() => {
          if (removing !== null) void remove(removing.id);
        }}
      >
        <p>{strings.chat.removeText}</p>
        {removing !== null && (
          <blockquote className="removing-preview">{previewOf(removing.content)}</blockquote>
        )}
      </ConfirmDialog>
    </>
  );
}
