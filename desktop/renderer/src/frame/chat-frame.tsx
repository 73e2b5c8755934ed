import { Tooltip } from "@base-ui/react/tooltip";
import { Suspense, useCallback, useEffect, useRef } from "react";
import type { ComponentType } from "react";
import { useClient, useReadable } from "../context/client-context.tsx";
import { strings } from "../strings/strings.ts";
import { useSessionNotices } from "../context/opened-sessions.ts";
import { Pending } from "../ui/pending.tsx";
import { useWidth } from "../ui/use-width.ts";
import { SyncLine } from "./connection/sync-line.tsx";
import { navigate } from "../navigation/navigation.tsx";
import { Overlays } from "./overlays.tsx";
import type { DialogsProps } from "./overlays.tsx";
import { Rail } from "./rail/rail.tsx";
import { RoomArea } from "./room-area.tsx";
import type { ChatProps } from "./room-area.tsx";
import { hrefOf } from "../navigation/routes.ts";
import type { Route } from "../navigation/routes.ts";
import { ShellProvider, useShell } from "../context/shell-context.tsx";
import { DroppedNotice, StorageNotice } from "./storage-notice.tsx";
import { Toasts } from "./toasts.tsx";
import { useLosses } from "./use-losses.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import "./chat-frame.css";

export type FrameRoute = Extract<Route, { readonly area: "home" | "room" | "directory" }>;

/** The screens that the frame surrounds. */
export interface FrameScreens {
  readonly Home: ComponentType;
  readonly Directory: ComponentType<{ readonly server: string | null }>;
  readonly Chat: ComponentType<ChatProps>;
  readonly Dialogs: ComponentType<DialogsProps>;
}

interface Props {
  readonly route: FrameRoute;
  readonly screens: FrameScreens;
}

/** A narrow window shows one column at a time: the lists, or what was chosen from them. */
const isContent = (route: FrameRoute): boolean =>
  route.area === "directory" || (route.area === "room" && route.channelId !== null);

const focusOn = (frame: HTMLElement | null, ...selectors: readonly string[]): void =>
  selectors
    .map((selector) => frame?.querySelector<HTMLElement>(selector))
    .find((element) => element != null)
    ?.focus();

/**
 * What had the focus may be gone after a navigation: then it goes to where something can be written, else to the
 * heading; where there is one column, to the beginning of the one that is shown now.
 */
function useNavigationFocus(route: FrameRoute, isContentShown: boolean, isNarrow: boolean) {
  const frame = useRef<HTMLDivElement>(null);
  const address = hrefOf(route);
  const shown = useRef({ address, isContentShown });
  useEffect(() => {
    const before = shown.current;
    shown.current = { address, isContentShown };
    if (before.address === address) return undefined;
    const timer = requestAnimationFrame(() => {
      if (isNarrow && before.isContentShown !== isContentShown)
        focusOn(frame.current, isContentShown ? ".main [data-heading]" : ".rail a");
      else if (document.activeElement?.matches("body, .main [data-heading]") === true)
        focusOn(frame.current, ...(isNarrow ? [] : [".main textarea:enabled"]), ".main [data-heading]");
    });
    return () => cancelAnimationFrame(timer);
  }, [address, isContentShown, isNarrow]);
  return frame;
}

/** Tells moderators that somebody asks to be let in, and those who asked how it was decided. */
function useRequests(): void {
  const { accounts, connections, servers } = useClient();
  const { tell } = useShell();
  useEffect(
    () =>
      connections.on((url, message) => {
        if (message.type !== "access_request") return;
        const { status, userId, displayName, serverId } = message.request;
        const room = servers.state.getState().servers.get(serverId)?.room;
        if (status === "pending" && room !== undefined)
          tell(strings.shell.requests.asks(displayName, room.name));
        if (status !== "pending" && userId === accounts.actorId(url)) tell(strings.shell.requests[status]);
      }),
    [accounts, connections, servers, tell],
  );
}

/** AB11: that another device signed in to the account. */
function useNewDevices(): void {
  const { tell } = useShell();
  const onOpened = useCallback(
    (device: string) =>
      tell(strings.account.devices.opened(device), {
        label: strings.account.devices.review,
        onClick: () => navigate({ area: "settings", page: "devices" }),
      }),
    [tell],
  );
  useSessionNotices(onOpened);
}

function Shell({ route, screens: { Home, Directory, Chat, Dialogs } }: Props) {
  const { servers } = useClient();
  const phase = useReadable(servers.state, (state) => state.phase);
  const isNarrow = useWidth() === "phone";
  const isContentShown = isContent(route);
  const frame = useNavigationFocus(route, isContentShown, isNarrow);
  const lost = useLosses(route);
  useRequests();
  useNewDevices();
  useShortcuts(route);
  return (
    <div
      className="shell"
      ref={frame}
      data-area={route.area}
      data-shown={isContentShown ? "content" : "lists"}
    >
      <button
        type="button"
        className="skip"
        onClick={() => frame.current?.querySelector<HTMLElement>(".main [data-heading]")?.focus()}
      >
        {strings.shell.skipToContent}
      </button>
      <div className="shell-top">
        <StorageNotice />
        <DroppedNotice />
        <SyncLine />
      </div>
      <Rail route={route} />
      {phase === "loading" ? (
        <main className="main">
          <Pending label={strings.shell.server.loading} rows={8} />
        </main>
      ) : (
        <Suspense fallback={<Pending label={strings.shell.server.loading} rows={8} />}>
          {route.area === "home" && <Home />}
          {route.area === "directory" && <Directory server={route.server} />}
          {route.area === "room" && <RoomArea route={route} lost={lost} Chat={Chat} />}
        </Suspense>
      )}
      <Overlays route={route} Dialogs={Dialogs} />
      <Toasts />
    </div>
  );
}

/** Rail, lists and content of everything that needs an account. */
export function ChatFrame(props: Props) {
  return (
    <Tooltip.Provider delay={400}>
      <ShellProvider>
        <Shell {...props} />
      </ShellProvider>
    </Tooltip.Provider>
  );
}
