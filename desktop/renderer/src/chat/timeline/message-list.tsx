import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ReactNode, Ref, RefObject } from "react";
import { Virtualizer } from "virtua";
import type { CustomContainerComponentProps, CustomItemComponentProps } from "virtua";
import type { TimelineState } from "@hearth/client";
import { droppedUpTo } from "@hearth/client";
import { useClient } from "../../context/client-context.tsx";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { useConversation } from "../conversation-context.tsx";
import { times } from "../times.ts";
import { MessageItem } from "../messages/message-item.tsx";
import { rowsOf } from "./message-rows.ts";
import type { Scroll } from "./use-scroll.ts";
import type { ShownWindow } from "./use-window.ts";

interface Props {
  readonly shown: ShownWindow;
  readonly state: TimelineState;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly scroll: Scroll;
  readonly activeId: string | null;
  readonly channel: string;
}

function List({ style, children, ref }: CustomContainerComponentProps) {
  return (
    <div role="list" style={style} ref={ref as Ref<HTMLDivElement>}>
      {children}
    </div>
  );
}

function Item({ style, children, ref }: CustomItemComponentProps) {
  return (
    <div role="listitem" style={style} ref={ref as Ref<HTMLDivElement>}>
      {children}
    </div>
  );
}

/** Stands above the first message or below the last one. */
function Trouble({ side, scroll }: { side: "older" | "newer"; scroll: Scroll }) {
  if (scroll.trouble !== side) return null;
  return (
    <div className="page-trouble" role="alert">
      <p>{side === "older" ? strings.chat.olderFailed : strings.chat.newerFailed}</p>
      <Button onClick={scroll.retry}>{strings.app.retry}</Button>
    </div>
  );
}

/** Whether messages of the room were removed from this device to make room. */
function useIsDropped(): boolean {
  const { store } = useClient();
  const roomId = useConversation().room?.id ?? "";
  const { data } = useQuery({
    queryKey: ["dropped", roomId],
    queryFn: () => droppedUpTo(store, roomId),
    refetchInterval: 60_000,
  });
  return data != null;
}

function Edge({
  isFirst,
  isLast,
  children,
  ...about
}: Pick<Props, "scroll" | "channel"> & {
  hasOlder: boolean;
  isFirst: boolean;
  isLast: boolean;
  children: ReactNode;
}) {
  const isDropped = useIsDropped();
  return (
    <>
      {isFirst && !about.hasOlder && (
        <p className="beginning">
          {isDropped ? strings.chat.olderDropped : strings.chat.beginning(about.channel)}
        </p>
      )}
      {isFirst && <Trouble side="older" scroll={about.scroll} />}
      {children}
      {isLast && <Trouble side="newer" scroll={about.scroll} />}
    </>
  );
}

/** The messages of a conversation, of which only those in sight are on the page. */
export function MessageList({ shown, state, scroller, scroll, activeId, channel }: Props) {
  const { divider, hasOlder } = state;
  const rows = useMemo(
    () => rowsOf(shown.messages, { divider, hasOlder, dayOf: times.dayOf }),
    [shown.messages, divider, hasOlder],
  );
  const active = useMemo(() => rows.findIndex(({ message }) => message.id === activeId), [rows, activeId]);
  return (
    <>
      <div className="timeline-filler" />
      <Virtualizer
        key={shown.generation}
        ref={scroll.list}
        scrollRef={scroller}
        data={rows}
        shift={shown.shift}
        as={List}
        item={Item}
        bufferSize={400}
        keepMounted={active < 0 ? [] : [active]}
        onScroll={scroll.onScroll}
        onResize={scroll.onResize}
      >
        {(row, index) => (
          <Edge
            key={row.message.id}
            isFirst={index === 0}
            isLast={index === rows.length - 1}
            scroll={scroll}
            hasOlder={hasOlder}
            channel={channel}
          >
            <MessageItem
              {...row}
              isActive={row.message.id === activeId}
              isShown={row.message.id === scroll.shownId}
            />
          </Edge>
        )}
      </Virtualizer>
    </>
  );
}
