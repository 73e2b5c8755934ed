import { Dialog } from "@base-ui/react/dialog";
import type { SavedServer } from "@hearth/client";
import { strings } from "../../strings/strings.ts";
import { Icon } from "../../ui/icon.tsx";
import { useWidth } from "../../ui/use-width.ts";
import { MembersPanel } from "./members-panel.tsx";
import "../../ui/button.css";
import "../../ui/overlays/dialog.css";
import "../bar.css";
import "./members-panel.css";

const text = strings.shell.members;

interface Props {
  readonly server: SavedServer;
  readonly isOpen: boolean;
  /** Somebody who was looked for. */
  readonly wanted: string | null;
  readonly onClose: () => void;
}

/** The members beside the conversation where there is room, else in a drawer over it. */
export function MembersAside({ server, isOpen, wanted, onClose }: Props) {
  const width = useWidth();
  if (width === "desktop")
    return isOpen ? (
      <aside className="members" aria-label={text.title}>
        <div className="bar">
          <h2 className="bar-title">{text.title}</h2>
        </div>
        <MembersPanel server={server} wanted={wanted} />
      </aside>
    ) : null;
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="members members-drawer">
          <div className="bar">
            {width === "phone" && (
              <Dialog.Close className="icon-button" aria-label={strings.shell.backToList}>
                <Icon name="back" />
              </Dialog.Close>
            )}
            <Dialog.Title className="bar-title">{text.title}</Dialog.Title>
            {width === "tablet" && (
              <Dialog.Close className="icon-button" aria-label={text.hide}>
                <Icon name="close" />
              </Dialog.Close>
            )}
          </div>
          <MembersPanel server={server} wanted={wanted} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
