import type { Client } from "@hearth/client";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { strings } from "../../strings/strings.ts";
import { MenuHeading, MenuItem, MenuSeparator, PopupMenu } from "../../ui/overlays/popup-menu.tsx";
import { navigate, useRoute } from "../../navigation/navigation.tsx";
import { signInAt } from "../../navigation/sign-in-at.ts";
import { useShell } from "../../context/shell-context.tsx";
import { BadgeMark, badgeText, named } from "./badge-mark.tsx";
import { isInterrupted } from "../connection/connection-notice.ts";
import { badgeOfServer, needsSignIn } from "./badge.ts";
import type { RailGroup } from "./rail-order.ts";
import { hostOf, shortHost } from "../../strings/host.ts";

const text = strings.shell.instance;

function useInstance({ instance, servers }: RailGroup) {
  const { chat, connections, preferences } = useClient();
  const activity = useReadable(chat.state, (state) => state.activity);
  const isMuted = useReadable(preferences.state, ({ mutedServers }) => mutedServers.includes(instance.url));
  const isGone = useReadable(connections.states, (states) => isInterrupted(states.get(instance.url)));
  const rooms = servers.map(({ room }) => room);
  const badge = badgeOfServer(instance, rooms, activity, isMuted);
  const isAway = instance.authorization === "authorized" && isGone;
  return { badge, isMuted, isAway };
}

function mute({ preferences }: Client, url: string, isMuted: boolean): void {
  const others = preferences.state.getState().mutedServers.filter((it) => it !== url);
  preferences.change({ mutedServers: isMuted ? [...others, url] : others });
}

/** The head of an instance's group: its badge, and the menu of what can be done with it. */
export function ServerMenu({ group }: { group: RailGroup }) {
  const client = useClient();
  const { open } = useShell();
  const route = useRoute();
  const { url, account } = group.instance;
  const { badge, isMuted, isAway } = useInstance(group);
  const host = hostOf(url);
  const label = named(
    text.menu(host),
    badgeText(badge),
    isAway ? strings.shell.notConnected : "",
    isMuted ? strings.shell.muted : "",
  );
  return (
    <PopupMenu
      side="inline-end"
      trigger={
        <button
          type="button"
          className="rail-server"
          title={host}
          data-away={isAway || undefined}
          data-muted={isMuted || undefined}
        >
          <span className="visually-hidden">{label}</span>
          <span className="rail-host" dir="ltr" aria-hidden="true">
            {shortHost(host)}
          </span>
          <BadgeMark badge={badge} />
        </button>
      }
    >
      <MenuHeading>
        <span dir="ltr">{host}</span>
        {account !== null && <span className="quiet"> {account.username}</span>}
      </MenuHeading>
      {needsSignIn(group.instance) && (
        <MenuItem icon="key" onClick={() => signInAt(url, route)}>
          {text.signIn}
        </MenuItem>
      )}
      {isAway && <MenuItem onClick={() => client.connections.of(url)?.retryNow()}>{text.retry}</MenuItem>}
      <MenuItem icon="compass" onClick={() => navigate({ area: "directory", server: url })}>
        {text.browse}
      </MenuItem>
      <MenuItem icon="flame" onClick={() => open({ kind: "create", server: url })}>
        {text.create}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={isMuted ? "bell" : "bell-off"} onClick={() => mute(client, url, !isMuted)}>
        {isMuted ? text.unmute : text.mute}
      </MenuItem>
      <MenuItem icon="gear" onClick={() => navigate({ area: "settings", page: "servers" })}>
        {text.manage}
      </MenuItem>
    </PopupMenu>
  );
}
