import { useClient, useReadable } from "../context/client-context.tsx";
import { navigate } from "../navigation/navigation.tsx";
import { HOME } from "../navigation/routes.ts";
import { useShell } from "../context/shell-context.tsx";
import { useAct } from "../context/use-act.ts";
import { strings } from "../strings/strings.ts";
import { ConfirmDialog } from "../ui/overlays/confirm-dialog.tsx";
import { PaneDialog } from "../ui/overlays/pane-dialog.tsx";

const text = strings.shell.server;

export function LeaveDialog({ roomId, onClose }: { roomId: string; onClose: () => void }) {
  const { servers } = useClient();
  const { tell } = useShell();
  const act = useAct();
  const room = useReadable(servers.state, (state) => state.servers.get(roomId)?.room);
  if (room === undefined) return null;
  const { name } = room;
  if (room.role === "owner")
    return (
      <PaneDialog title={text.leaveTitle(name)} onClose={onClose}>
        <p>{text.leaveOwner}</p>
      </PaneDialog>
    );
  const leave = (): void =>
    act(async () => {
      await servers.leave(roomId);
      navigate(HOME);
      tell(text.left(name));
    });
  return (
    <ConfirmDialog
      open
      title={text.leaveTitle(name)}
      confirm={text.leave}
      onClose={onClose}
      onConfirm={leave}
    >
      <p>{text.leaveHelp}</p>
    </ConfirmDialog>
  );
}
