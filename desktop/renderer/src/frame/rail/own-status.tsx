import type { UserStatus } from "@hearth/contracts";
import { Menu } from "@base-ui/react/menu";
import { useClient, useReadable } from "../../context/client-context.tsx";
import type { ServersState } from "@hearth/client";
import { strings } from "../../strings/strings.ts";
import { Icon } from "../../ui/icon.tsx";
import { MenuHeading, MenuItem, MenuSeparator, PopupMenu } from "../../ui/overlays/popup-menu.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { navigate } from "../../navigation/navigation.tsx";
import { Presence } from "../members/presence.tsx";
import "./own-status.css";

const { shell: text } = strings;
const STATUSES: readonly UserStatus[] = ["online", "away", "busy"];

/** As the first place says that is connected; `null` where nobody is there to see it. */
function statusIn({ servers }: ServersState): UserStatus | null {
  const own = [...servers.values()].map(({ room, present }) => present.get(room.actorUserId)?.status);
  return own.find((status) => status !== undefined) ?? null;
}

function useOwnStatus(): UserStatus | null {
  const { connections, servers } = useClient();
  const seen = useReadable(servers.state, statusIn);
  const chosen = useReadable(servers.status, (status) => status);
  const isOnline = useReadable(connections.states, (states) =>
    [...states.values()].some(({ status }) => status === "online"),
  );
  return seen ?? (isOnline ? chosen : null);
}

export function OwnStatus() {
  const { accounts, servers } = useClient();
  const account = useReadable(
    accounts.state,
    ({ instances }) => instances.find(({ isHome }) => isHome)?.account ?? null,
  );
  const status = useOwnStatus();
  if (account === null) return null;
  const { displayName, username, userId } = account;
  const said = text.statuses[status ?? "offline"];
  return (
    <PopupMenu
      side="inline-end"
      align="end"
      trigger={
        <button type="button" className="own" title={displayName}>
          <span className="visually-hidden">
            {`${text.signedInAs(displayName, username)}. ${text.ownStatus(said)}`}
          </span>
          <Avatar id={userId} name={displayName} />
          <Presence status={status} />
        </button>
      }
    >
      <MenuHeading>{text.signedInAs(displayName, username)}</MenuHeading>
      <Menu.RadioGroup value={status} onValueChange={(value: UserStatus) => servers.setStatus(value)}>
        {STATUSES.map((value) => (
          <Menu.RadioItem key={value} value={value} className="menu-item" closeOnClick>
            <Presence status={value} />
            {text.statuses[value]}
            <Menu.RadioItemIndicator className="menu-check">
              <Icon name="check" size={18} />
            </Menu.RadioItemIndicator>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <MenuSeparator />
      <MenuItem icon="gear" onClick={() => navigate({ area: "settings", page: "account" })}>
        {text.account}
      </MenuItem>
    </PopupMenu>
  );
}
