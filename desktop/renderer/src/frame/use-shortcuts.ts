import { useEffect } from "react";
import type { Client } from "@hearth/client";
import type { ChannelRef } from "@hearth/store";
import { useClient } from "../context/client-context.tsx";
import { isMac } from "../keyboard/platform-keys.ts";
import { shortcutOf } from "../keyboard/shortcuts.ts";
import type { Pressed } from "../keyboard/shortcuts.ts";
import { strings } from "../strings/strings.ts";
import { channelsOf, neighbourOf } from "./channels/channel-order.ts";
import { navigate } from "../navigation/navigation.tsx";
import { railOf } from "./rail/rail-order.ts";
import type { Route } from "../navigation/routes.ts";
import { useShell } from "../context/shell-context.tsx";
import type { Shell } from "../context/shell-context.tsx";
import { sendPageCommand } from "../context/page-commands.ts";
import { useAct } from "../context/use-act.ts";

const orderedServers = ({ accounts, servers }: Client) =>
  railOf(accounts.state.getState().instances, servers.state.getState().servers).flatMap(
    (group) => group.servers,
  );

const goTo = (channel: ChannelRef | null): void => {
  if (channel !== null) navigate({ area: "room", ...channel, messageId: null });
};

/** Up and down stay in the server; unread navigation goes through all servers, in the order of the rail. */
function goToNeighbour(client: Client, route: Route, step: 1 | -1, isUnread: boolean): void {
  const roomId = route.area === "room" ? route.roomId : null;
  const rooms = orderedServers(client)
    .map(({ room }) => room)
    .filter((room) => (isUnread ? !room.muted || room.id === roomId : room.id === roomId));
  const channels = rooms.flatMap((room) =>
    channelsOf(room, "text").map(({ id }) => ({ roomId: room.id, channelId: id })),
  );
  const current = route.area === "room" ? { roomId: route.roomId, channelId: route.channelId } : null;
  const activity = isUnread ? client.chat.state.getState().activity : undefined;
  goTo(neighbourOf(channels, current, step, activity));
}

/** The newest message that this device has of the channel counts as read. */
async function markChannelRead({ chat }: Client, channel: ChannelRef): Promise<void> {
  const timeline = chat.timeline(channel);
  try {
    await timeline.jumpToNewest();
    const newest = timeline.state.getState().messages.at(-1);
    if (newest !== undefined) timeline.markRead({ timestamp: newest.timestamp, id: newest.id });
  } finally {
    timeline.release();
  }
}

/** Something that Escape closes is open, so that it does not mark anything read. */
const isSomethingOpen = (): boolean =>
  document.querySelector(
    "[role=dialog], [role=alertdialog], [role=menu], [aria-expanded=true][role=combobox]",
  ) !== null;

type Act = ReturnType<typeof useAct>;

function perform({ id, index }: Pressed, client: Client, route: Route, shell: Shell, act: Act): boolean {
  const room = route.area === "room" ? route : null;
  switch (id) {
    case "switcher":
      shell.open({ kind: "switcher" });
      return true;
    case "help":
      shell.open({ kind: "shortcuts" });
      return true;
    case "settings":
      navigate({ area: "settings", page: "account" });
      return true;
    case "server": {
      const wanted = orderedServers(client)[index];
      if (wanted !== undefined)
        navigate({ area: "room", roomId: wanted.room.id, channelId: null, messageId: null });
      return true;
    }
    case "previous-channel":
    case "next-channel":
      goToNeighbour(client, route, id === "next-channel" ? 1 : -1, false);
      return true;
    case "previous-unread":
    case "next-unread":
      goToNeighbour(client, route, id === "next-unread" ? 1 : -1, true);
      return true;
    case "members":
      sendPageCommand("members", null);
      return true;
    case "mark-read":
      if (room === null || room.channelId === null) return false;
      act(() => markChannelRead(client, { roomId: room.roomId, channelId: room.channelId }));
      return true;
    case "mark-server-read":
      if (room === null) return false;
      act(() => client.chat.markAllRead(room.roomId), strings.shell.server.markedRead);
      return true;
    case "send":
    case "new-line":
    case "edit-last":
      return false;
  }
}

/** Keys that work wherever the focus is. What the focused control takes for itself is left to it. */
export function useShortcuts(route: Route): void {
  const client = useClient();
  const shell = useShell();
  const act = useAct();
  useEffect(() => {
    let wasOpen = false;
    const answer = (event: KeyboardEvent, pressed: Pressed | null): boolean => {
      const isAnswered = pressed !== null && perform(pressed, client, route, shell, act);
      if (isAnswered) event.preventDefault();
      return isAnswered;
    };
    // What Escape closes may be gone before the key arrives, and a menu's button would take Alt and an arrow for itself.
    const onKeyDownFirst = (event: KeyboardEvent): void => {
      wasOpen = isSomethingOpen();
      if (!event.altKey || event.isComposing || wasOpen || event.target instanceof HTMLSelectElement) return;
      if (answer(event, shortcutOf(event, isMac()))) event.stopPropagation();
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      if (wasOpen && event.key === "Escape") return;
      answer(event, shortcutOf(event, isMac()));
    };
    window.addEventListener("keydown", onKeyDownFirst, { capture: true });
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener("keydown", onKeyDownFirst, { capture: true });
      window.removeEventListener("keydown", onKeyDown);
    };
  }, [client, route, shell, act]);
}
