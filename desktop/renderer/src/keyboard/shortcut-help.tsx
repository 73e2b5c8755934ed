import { strings } from "../strings/strings.ts";
import { PaneDialog } from "../ui/overlays/pane-dialog.tsx";
import { ShortcutList } from "./shortcut-list.tsx";

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <PaneDialog title={strings.shell.shortcuts.title} size="wide" onClose={onClose}>
      <ShortcutList />
    </PaneDialog>
  );
}
