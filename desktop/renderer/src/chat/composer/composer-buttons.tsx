import { useState } from "react";
import type { RefObject } from "react";
import { strings } from "../../strings/strings.ts";
import { Icon } from "../../ui/icon.tsx";
import { ChatIcon } from "../chat-icon.tsx";
import { useConversation } from "../conversation-context.tsx";
import { EmojiPopover } from "../emoji/emoji-popover.tsx";
import { IconButton } from "../icon-button.tsx";
import type { ComposerText } from "./use-text.ts";

interface Props {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly written: ComposerText;
  readonly isEditing: boolean;
  readonly canSend: boolean;
}

/** The choice of an emoji, which goes where the caret is, and sending. */
export function ComposerButtons({ field, written: { text, caret, change }, isEditing, canSend }: Props) {
  const { emoji } = useConversation();
  const [anchor, setAnchor] = useState<Element | null>(null);
  return (
    <>
      <IconButton
        label={strings.chat.emoji}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <ChatIcon name="smile" />
      </IconButton>
      <IconButton
        type="submit"
        className="send-button"
        label={isEditing ? strings.chat.save : strings.chat.send}
        aria-disabled={!canSend}
      >
        <Icon name={isEditing ? "check" : "up"} />
      </IconButton>
      <EmojiPopover
        anchor={anchor}
        custom={emoji}
        onPick={(picked) =>
          change(`${text.slice(0, caret)}${picked}${text.slice(caret)}`, caret + picked.length)
        }
        onClose={() => setAnchor(null)}
        finalFocus={() => field.current}
      />
    </>
  );
}
