import type { DeviceRoom } from "@hearth/device";
import { useClient } from "../../context/client-context.tsx";
import { strings } from "../../strings/strings.ts";
import { Icon } from "../../ui/icon.tsx";
import { MenuItem, MenuSeparator, PopupMenu } from "../../ui/overlays/popup-menu.tsx";
import { isModerator, mayInvite } from "../../people/member-actions.ts";
import { useShell } from "../../context/shell-context.tsx";
import { useAct } from "../../context/use-act.ts";

const text = strings.shell.server;

/** What can be done with a room, for this account. */
export function RoomMenu({ room }: { room: DeviceRoom }) {
  const { chat, servers } = useClient();
  const { open } = useShell();
  const act = useAct();
  const { id: roomId, role, visibility, muted } = room;
  return (
    <PopupMenu
      align="end"
      trigger={
        <button type="button" className="icon-button" aria-label={text.menu(room.name)}>
          <Icon name="chevron" />
        </button>
      }
    >
      {mayInvite(role, visibility) && (
        <MenuItem icon="add" onClick={() => open({ kind: "invite", roomId })}>
          {text.invite}
        </MenuItem>
      )}
      {isModerator(role) && (
        <MenuItem icon="gear" onClick={() => open({ kind: "room-settings", roomId })}>
          {text.settings}
        </MenuItem>
      )}
      <MenuItem icon="check" onClick={() => act(() => chat.markAllRead(roomId), text.markedRead)}>
        {text.markRead}
      </MenuItem>
      <MenuItem icon={muted ? "bell" : "bell-off"} onClick={() => act(() => servers.mute(roomId, !muted))}>
        {muted ? text.unmute : text.mute}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon="leave" tone="danger" onClick={() => open({ kind: "leave", roomId })}>
        {text.leave}
      </MenuItem>
    </PopupMenu>
  );
}
