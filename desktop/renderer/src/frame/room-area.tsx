import { Suspense, useEffect, useState } from "react";
import type { ComponentType } from "react";
import type { SavedServer, ServerLost } from "@hearth/client";
import type { ChannelRef } from "@hearth/store";
import { useClient, useReadable } from "../context/client-context.tsx";
import { strings } from "../strings/strings.ts";
import { Pending } from "../ui/pending.tsx";
import { useWidth } from "../ui/use-width.ts";
import { ChannelList } from "./channels/channel-list.tsx";
import { channelsOf, entranceOf } from "./channels/channel-order.ts";
import { InstanceNotices } from "./connection/instance-notices.tsx";
import { MembersAside } from "./members/members-aside.tsx";
import { LostRoom } from "./lost-room.tsx";
import { navigate } from "../navigation/navigation.tsx";
import { NothingHere } from "./nothing-here.tsx";
import { RoomBar } from "./room-bar.tsx";
import type { Route } from "../navigation/routes.ts";
import { useShell } from "../context/shell-context.tsx";
import { onPageCommand } from "../context/page-commands.ts";
import { MembershipNotice } from "./membership-notice.tsx";

const text = strings.shell.server;

/** What the screen of a channel is told. */
export interface ChatProps {
  readonly channel: ChannelRef;
  /** The message that is to be shown; the first unread one without. */
  readonly messageId: string | null;
}

type RoomRoute = Extract<Route, { readonly area: "room" }>;

/** An address without a channel leads to one, where there is room for more than the list. */
function useEntrance(server: SavedServer | undefined, route: RoomRoute): void {
  const { recents } = useShell();
  const isNarrow = useWidth() === "phone";
  const { roomId, channelId } = route;
  const room = server?.room;
  useEffect(() => {
    if (room === undefined) return;
    if (channelId !== null) {
      if (room.channels.some(({ id }) => id === channelId)) recents.visit({ roomId, channelId });
      return;
    }
    const entrance = entranceOf(room, recents.state.getState());
    if (!isNarrow && entrance !== null)
      navigate({ area: "room", roomId, channelId: entrance, messageId: null }, { replace: true });
  }, [room, roomId, channelId, isNarrow, recents]);
}

interface ConversationProps {
  readonly server: SavedServer;
  readonly route: RoomRoute;
  readonly Chat: ComponentType<ChatProps>;
}

function Conversation({ server, route, Chat }: ConversationProps) {
  const { room } = server;
  const { roomId, channelId, messageId } = route;
  const first = channelsOf(room, "text")[0];
  if (first === undefined) return <NothingHere title={text.noTextTitle} help={text.noTextHelp} />;
  if (channelId === null) return <NothingHere title={text.pickTitle} help="" />;
  if (!room.channels.some(({ id, kind }) => id === channelId && kind === "text"))
    return (
      <NothingHere
        title={text.noChannelTitle}
        help={text.noChannelHelp}
        action={text.toFirstChannel}
        onAction={() => navigate({ area: "room", roomId, channelId: first.id, messageId: null })}
      />
    );
  return (
    <Suspense fallback={<Pending label={text.loading} rows={8} />}>
      <Chat key={`${roomId}/${channelId}`} channel={{ roomId, channelId }} messageId={messageId} />
    </Suspense>
  );
}

/** The members are beside the conversation where there is room, else only when they are asked for. */
function useMembersShown({ roomId, channelId }: RoomRoute, isWide: boolean) {
  const [isWanted, setIsWanted] = useState<boolean | null>(null);
  const [person, setPerson] = useState<string | null>(null);
  useEffect(() => {
    if (!isWide) setIsWanted(null);
  }, [isWide, roomId, channelId]);
  useEffect(
    () =>
      onPageCommand("person", (userId) => {
        setIsWanted(true);
        setPerson(userId);
      }),
    [],
  );
  const isShown = isWanted ?? isWide;
  const close = (): void => {
    setIsWanted(false);
    setPerson(null);
  };
  return { isShown, person, close, toggle: () => setIsWanted(!isShown) };
}

interface Props {
  readonly route: RoomRoute;
  readonly lost: ServerLost | null;
  readonly Chat: ComponentType<ChatProps>;
}

/** A room: its channels, the conversation, and who is there; or why it went away. */
export function RoomArea({ route, lost, Chat }: Props) {
  const client = useClient();
  const server = useReadable(client.servers.state, ({ servers }) => servers.get(route.roomId));
  const instances = useReadable(client.accounts.state, (state) => state.instances);
  const width = useWidth();
  const members = useMembersShown(route, width === "desktop");
  useEntrance(server, route);
  if (server === undefined && lost?.roomId === route.roomId) return <LostRoom lost={lost} />;
  if (server === undefined)
    return (
      <main className="main">
        <NothingHere
          level={1}
          title={text.unknownTitle}
          help={text.unknownHelp}
          action={strings.shell.browse}
          onAction={() => navigate({ area: "directory", server: null })}
        />
      </main>
    );
  const instance = instances.find(({ url }) => url === server.room.signalServerUrl);
  if (width === "phone" && route.channelId === null)
    return (
      <main className="main lists-alone">
        <title>{strings.app.title(server.room.name)}</title>
        {instance !== undefined && <InstanceNotices instance={instance} />}
        <MembershipNotice server={server} />
        <ChannelList server={server} channelId={null} isAlone />
      </main>
    );
  return (
    <>
      <ChannelList server={server} channelId={route.channelId} isAlone={false} />
      <main className="main">
        <RoomBar
          room={server.room}
          channelId={route.channelId}
          hasMembers={members.isShown}
          onMembers={members.toggle}
        />
        {instance !== undefined && <InstanceNotices instance={instance} />}
        <MembershipNotice server={server} />
        <div className="main-slot">
          <Conversation server={server} route={route} Chat={Chat} />
        </div>
      </main>
      <MembersAside
        server={server}
        isOpen={members.isShown}
        wanted={members.person}
        onClose={members.close}
      />
    </>
  );
}
