import { Popover } from "@base-ui/react/popover";
import { Suspense } from "react";
import { strings } from "../../strings/strings.ts";
import type { CustomEmoji } from "./custom-emoji.ts";
import { laterPart } from "../../navigation/later-part.ts";
import "./emoji-popover.css";

const EmojiPanel = laterPart(async () => (await import("./emoji-panel.tsx")).EmojiPanel);

interface Props {
  /** Where it opens; closed without. */
  readonly anchor: Element | null;
  readonly custom: ReadonlyMap<string, CustomEmoji>;
  readonly onPick: (emoji: string) => void;
  readonly onClose: () => void;
  readonly finalFocus: () => HTMLElement | null;
}

export function EmojiPopover({ anchor, custom, onPick, onClose, finalFocus }: Props) {
  return (
    <Popover.Root open={anchor !== null} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Popover.Portal>
        <Popover.Positioner
          className="popover-place"
          anchor={anchor}
          align="end"
          sideOffset={6}
          collisionPadding={8}
        >
          <Popover.Popup
            className="emoji-popover"
            aria-label={strings.chat.emoji}
            initialFocus={false}
            finalFocus={() => finalFocus() ?? true}
          >
            <Suspense fallback={<p className="emoji-loading">{strings.chat.picker.loadingMessage}</p>}>
              <EmojiPanel
                custom={custom}
                onPick={(emoji) => {
                  onPick(emoji);
                  onClose();
                }}
              />
            </Suspense>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
