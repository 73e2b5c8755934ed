import type { DialogsProps } from "../frame/overlays.tsx";
import { ReportDialog } from "../people/report-dialog.tsx";
import { AddInstanceDialog } from "./add-instance-dialog.tsx";
import { CreateDialog } from "./create-dialog.tsx";
import { InviteDialog } from "./invites/invite-dialog.tsx";
import { JoinDialog } from "./invites/join-dialog.tsx";
import { LeaveDialog } from "./leave-dialog.tsx";
import { RequestDialog } from "./request-dialog.tsx";
import { ServerSettings } from "./settings/server-settings.tsx";

export function ServerDialogs({ overlay, onClose }: DialogsProps) {
  switch (overlay.kind) {
    case "create":
      return <CreateDialog server={overlay.server} onClose={onClose} />;
    case "join":
      return <JoinDialog onClose={onClose} />;
    case "add-server":
      return <AddInstanceDialog onClose={onClose} />;
    case "invite":
      return <InviteDialog roomId={overlay.roomId} onClose={onClose} />;
    case "request":
      return <RequestDialog server={overlay.server} serverId={overlay.serverId} onClose={onClose} />;
    case "leave":
      return <LeaveDialog roomId={overlay.roomId} onClose={onClose} />;
    case "report":
      return <ReportDialog about={overlay} onClose={onClose} />;
    case "room-settings":
      return <ServerSettings roomId={overlay.roomId} onClose={onClose} />;
  }
}
