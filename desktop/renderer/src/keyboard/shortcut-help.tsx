import { strings } from "../strings.ts";
import { PaneDialog } from "../ui/pane-dialog.tsx";
import { ShortcutList } from "./shortcut-list.tsx";

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <PaneDialog title={strings.shell.shortcuts.title} size="wide" onClose={onClose}>
      <ShortcutList />
    </PaneDialog>
  );
}
