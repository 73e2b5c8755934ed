import { useClient, useReadable } from "../../context/client-context.tsx";
import { strings } from "../../strings/strings.ts";
import { PaneDialog } from "../../ui/overlays/pane-dialog.tsx";
import { InvitePanel } from "./invite-panel.tsx";

const text = strings.servers.invite;

export function InviteDialog({ roomId, onClose }: { roomId: string; onClose: () => void }) {
  const { servers } = useClient();
  const room = useReadable(servers.state, (state) => state.servers.get(roomId)?.room);
  if (room === undefined) return null;
  return (
    <PaneDialog title={text.title(room.name)} description={text.help} onClose={onClose}>
      <InvitePanel room={room} />
    </PaneDialog>
  );
}
