import { Dialog } from "@base-ui/react/dialog";
import { useRef } from "react";
import type { ReactNode } from "react";
import { strings } from "../../strings/strings.ts";
import { Icon } from "../icon.tsx";
import "../button.css";
import "./dialog.css";
import "./pane-dialog.css";

interface Props {
  readonly title: string;
  readonly description?: string;
  readonly size?: "medium" | "wide";
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog that is shown as long as it is rendered; it begins at its first field. */
export function PaneDialog({ title, description, size = "medium", onClose, children }: Props) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Viewport className="dialog-area">
          <Dialog.Popup
            className="dialog pane-dialog"
            data-size={size}
            ref={popup}
            initialFocus={() => popup.current?.querySelector<HTMLElement>("input, textarea, select") ?? true}
          >
            <div className="pane-dialog-head">
              <Dialog.Title className="dialog-title">{title}</Dialog.Title>
              <Dialog.Close className="icon-button" aria-label={strings.servers.close}>
                <Icon name="close" />
              </Dialog.Close>
            </div>
            {description !== undefined && (
              <Dialog.Description className="quiet">{description}</Dialog.Description>
            )}
            {children}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
