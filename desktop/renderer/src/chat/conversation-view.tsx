import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { RefObject } from "react";
import type { TimelineMessage } from "@hearth/client";
import type { SavedServer } from "@hearth/client";
import type { DeviceRoom } from "@hearth/device";
import type { ChannelRef } from "@hearth/store";
import { useClient, useReadable } from "../context/client-context.tsx";
import { hrefOf } from "../navigation/routes.ts";
import { useShell } from "../context/shell-context.tsx";
import { lookalikesAmong } from "../people/lookalikes.ts";
import { useBlocked } from "../people/use-safety.ts";
import { strings } from "../strings/strings.ts";
import { useWidth } from "../ui/use-width.ts";
import { ComposerArea } from "./composer/composer-area.tsx";
import type { ComposerHandle } from "./composer/composer.tsx";
import { ConversationBody } from "./conversation-body.tsx";
import { ConversationProvider } from "./conversation-context.tsx";
import type { Conversation } from "./conversation-context.tsx";
import { useCustomEmoji } from "./emoji/custom-emoji.ts";
import { lastOwn } from "./last-own.ts";
import { MessageOverlays } from "./messages/message-overlays.tsx";
import { usePeople } from "./people.ts";
import { SearchPanel } from "./search/search-panel.tsx";
import type { TimelineHandle } from "./timeline/timeline-view.tsx";
import { useArrivals } from "./use-arrivals.ts";
import { NO_BUSINESS, useMessageActs } from "./messages/use-message-acts.ts";
import type { Business } from "./messages/use-message-acts.ts";
import { useTimeline } from "./use-timeline.ts";

interface Props {
  readonly server: SavedServer;
  readonly at: ChannelRef;
  readonly channel: string;
  readonly messageId: string | null;
  readonly isSearching: boolean;
  readonly onSearchClosed: () => void;
}

type Shared = Omit<Conversation, "emoji" | "blocked" | "lookalikes"> & { readonly room: DeviceRoom };

/** What all messages share, the same object while nothing of it changes. */
function useShared({ room, ownId, people, isOnline, act }: Shared): Conversation {
  const emoji = useCustomEmoji();
  const blocked = useBlocked(room.signalServerUrl);
  const lookalikes = useMemo(() => lookalikesAmong(people.values()), [people]);
  return useMemo(
    () => ({ room, ownId, people, blocked, lookalikes, emoji, isOnline, act }),
    [room, ownId, people, blocked, lookalikes, emoji, isOnline, act],
  );
}

/** Replying and editing begin in the composer, and so does a conversation where nothing else has the focus. */
function useComposerFocus(composer: RefObject<ComposerHandle | null>, { replyTo, editing }: Business): void {
  useEffect(() => {
    const isFree = document.activeElement === document.body;
    if (isFree && matchMedia("(pointer: fine)").matches) composer.current?.focus();
  }, [composer]);
  useEffect(() => {
    if (replyTo !== null || editing !== null) composer.current?.focus();
  }, [composer, replyTo, editing]);
}

/** The messages, what the account is doing with one of them, and what they share. */
function useConversationState({ server, at }: Props) {
  const { room } = server;
  const ownId = room.actorUserId;
  const { timeline, state } = useTimeline(at);
  const [business, setBusiness] = useState<Business>(NO_BUSINESS);
  const list = useRef<TimelineHandle>(null);
  const composer = useRef<ComposerHandle>(null);
  const act = useMessageActs(ownId, setBusiness, list);
  const { people, byId } = usePeople(server, state.messages);
  const isOnline = useReadable(
    useClient().connections.states,
    (states) => states.get(room.signalServerUrl)?.status === "online",
  );
  const shared = useShared({ room, ownId, people: byId, isOnline, act });
  useComposerFocus(composer, business);
  return { timeline, state, business, setBusiness, list, composer, people, shared };
}

/** One channel from entering it to leaving it. */
export function ConversationView(props: Props) {
  const { server, at, channel, messageId, isSearching, onSearchClosed } = props;
  const { platform } = useClient();
  const { tell } = useShell();
  const { timeline, state, business, setBusiness, list, composer, people, shared } =
    useConversationState(props);
  const { act, ownId } = shared;
  const isNarrow = useWidth() === "phone";
  useArrivals(at);
  const onMissing = useCallback(() => tell(strings.chat.notHere), [tell]);
  const toComposer = (): void => composer.current?.focus();
  const finish = (wasSent: boolean): void => {
    setBusiness(NO_BUSINESS);
    if (wasSent && business.editing === null) list.current?.jumpToNewest();
  };
  const editLast = (): void => {
    const message = lastOwn(state.messages, ownId);
    if (message !== null) act.edit(message);
  };
  const linkOf = ({ id, roomId, channelId }: TimelineMessage): string =>
    new URL(hrefOf({ area: "room", roomId, channelId, messageId: id }), platform.origin).href;
  const closeSearch = (): void => {
    onSearchClosed();
    toComposer();
  };
  const { replyTo, editing } = business;
  return (
    <ConversationProvider value={shared}>
      <div className="chat-columns">
        <div className="chat-column">
          <ConversationBody
            ref={list}
            {...{ timeline, state, channel, messageId, linkOf, onMissing, onLeave: toComposer }}
          />
          <ComposerArea
            ref={composer}
            {...{ server, at, channel, people, replyTo, editing, onDone: finish, onEditLast: editLast }}
          />
        </div>
        {isSearching && (
          <SearchPanel
            roomId={at.roomId}
            onClose={closeSearch}
            onChosen={({ id, roomId, channelId }) => {
              if (roomId !== at.roomId || channelId !== at.channelId) return;
              act.jumpTo(id);
              // There the results cover what they lead to.
              if (isNarrow) onSearchClosed();
            }}
          />
        )}
      </div>
      <MessageOverlays business={business} setBusiness={setBusiness} composer={composer} />
    </ConversationProvider>
  );
}
