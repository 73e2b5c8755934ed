import { AlertDialog } from "@base-ui/react/alert-dialog";
import type { ReactNode, RefObject } from "react";
import { strings } from "../../strings/strings.ts";
import { Button } from "../button.tsx";
import "./dialog.css";

interface Props {
  readonly open: boolean;
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  /** Where the focus goes afterwards; by default to where it came from. */
  readonly returnTo?: RefObject<HTMLElement | null>;
}

export function ConfirmDialog({ open, title, children, confirm, onClose, onConfirm, returnTo }: Props) {
  return (
    <AlertDialog.Root open={open} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Viewport className="dialog-area">
          <AlertDialog.Popup className="dialog" {...(returnTo === undefined ? {} : { finalFocus: returnTo })}>
            <AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
            <AlertDialog.Description className="dialog-text" render={<div />}>
              {children}
            </AlertDialog.Description>
            <div className="dialog-actions">
              <AlertDialog.Close render={<Button />}>{strings.app.cancel}</AlertDialog.Close>
              <AlertDialog.Close render={<Button tone="danger" />} onClick={onConfirm}>
                {confirm}
              </AlertDialog.Close>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
