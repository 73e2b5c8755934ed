import icon from "../../assets/icon.svg";
import { useClient, useReadable } from "../../context/client-context.tsx";
import type { SavedServer } from "@hearth/client";
import { strings } from "../../strings/strings.ts";
import { Hint } from "../../ui/overlays/hint.tsx";
import { Icon } from "../../ui/icon.tsx";
import { MenuItem, PopupMenu } from "../../ui/overlays/popup-menu.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { RouteLink, navigate } from "../../navigation/navigation.tsx";
import { HOME } from "../../navigation/routes.ts";
import type { Route } from "../../navigation/routes.ts";
import { useShell } from "../../context/shell-context.tsx";
import { BadgeMark, badgeText, named } from "./badge-mark.tsx";
import { badgeOfRoom } from "./badge.ts";
import { OwnStatus } from "./own-status.tsx";
import { railOf } from "./rail-order.ts";
import { ServerMenu } from "./server-menu.tsx";
import "./rail.css";

const { shell: text } = strings;

function RailRoom({ server, isCurrent }: { server: SavedServer; isCurrent: boolean }) {
  const { chat } = useClient();
  const { room, joinState } = server;
  const activity = useReadable(chat.state, (state) => state.activity);
  const badge = badgeOfRoom(room, activity);
  const isAway = joinState === "offline" || joinState === "needs-sign-in" || joinState === "gone";
  return (
    <li className="rail-room" data-muted={room.muted || undefined} data-away={isAway || undefined}>
      <Hint text={room.name} side="inline-end">
        <RouteLink
          to={{ area: "room", roomId: room.id, channelId: null, messageId: null }}
          className="rail-link"
          aria-current={isCurrent ? "page" : undefined}
        >
          <span className="visually-hidden">
            {named(room.name, badgeText(badge), room.muted ? text.muted : "")}
          </span>
          <Avatar id={room.id} name={room.name} shape="server" size="large" />
          <BadgeMark badge={badge} />
        </RouteLink>
      </Hint>
    </li>
  );
}

function AddMenu() {
  const { open } = useShell();
  return (
    <PopupMenu
      side="inline-end"
      trigger={
        <button type="button" className="rail-add" aria-label={text.add} title={text.add}>
          <Icon name="add" size={22} />
        </button>
      }
    >
      <MenuItem icon="compass" onClick={() => navigate({ area: "directory", server: null })}>
        {text.browse}
      </MenuItem>
      <MenuItem icon="flame" onClick={() => open({ kind: "create", server: null })}>
        {text.create}
      </MenuItem>
      <MenuItem icon="key" onClick={() => open({ kind: "join" })}>
        {text.pasteInvite}
      </MenuItem>
    </PopupMenu>
  );
}

/** Every server, under its instance. */
export function Rail({ route }: { route: Route }) {
  const { accounts, servers } = useClient();
  const instances = useReadable(accounts.state, (state) => state.instances);
  const known = useReadable(servers.state, (state) => state.servers);
  const roomId = route.area === "room" ? route.roomId : null;
  return (
    <nav className="rail" aria-label={text.servers}>
      <Hint text={text.home} side="inline-end">
        <RouteLink
          to={HOME}
          className="rail-home"
          aria-label={text.home}
          aria-current={route.area === "home" ? "page" : undefined}
        >
          <img src={icon} alt="" width={36} height={36} />
        </RouteLink>
      </Hint>
      <div className="rail-scroll">
        <ul className="rail-groups">
          {railOf(instances, known).map((group) => (
            <li key={group.instance.url} className="rail-group">
              <ServerMenu group={group} />
              <ul className="rail-rooms">
                {group.servers.map((server) => (
                  <RailRoom key={server.room.id} server={server} isCurrent={server.room.id === roomId} />
                ))}
              </ul>
            </li>
          ))}
        </ul>
        <AddMenu />
      </div>
      <div className="rail-foot">
        <Hint text={text.settings} side="inline-end">
          <RouteLink
            to={{ area: "settings", page: "account" }}
            className="icon-button"
            aria-label={text.settings}
          >
            <Icon name="gear" />
          </RouteLink>
        </Hint>
        <OwnStatus />
      </div>
    </nav>
  );
}
