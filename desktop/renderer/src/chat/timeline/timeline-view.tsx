import { ContextMenu } from "@base-ui/react/context-menu";
import { useCallback, useEffect, useImperativeHandle, useRef, useState } from "react";
import type { Ref, RefObject } from "react";
import type { Timeline, TimelineMessage, TimelineState } from "@hearth/client";
import { strings } from "../../strings/strings.ts";
import { useConversation } from "../conversation-context.tsx";
import { JumpPills } from "./jump-pills.tsx";
import { findMessageElement, messageIdOf, wantsNativeMenu } from "../messages/message-element.ts";
import { MessageList } from "./message-list.tsx";
import { MessageMenu } from "../messages/message-menu.tsx";
import { useRoving } from "./use-roving.ts";
import { useScroll } from "./use-scroll.ts";
import type { Scroll } from "./use-scroll.ts";
import { useWindow } from "./use-window.ts";
import "./timeline-view.css";

/** What the rest of the conversation asks of its messages. */
export interface TimelineHandle {
  readonly jumpTo: (messageId: string) => void;
  readonly jumpToNewest: () => void;
}

export interface TimelineViewProps {
  readonly timeline: Timeline;
  readonly state: TimelineState;
  readonly channel: string;
  /** The message of the address. */
  readonly messageId: string | null;
  readonly linkOf: (message: TimelineMessage) => string;
  readonly onMissing: () => void;
  /** Somebody leaves the list by the keyboard. */
  readonly onLeave: () => void;
  readonly ref: Ref<TimelineHandle>;
}

/** Whether the first unread ones are above and were not in sight since this conversation was entered. */
function useUnreadAbove({ divider }: TimelineState, { dividerId, isDividerAbove }: Scroll): boolean {
  const [wasThere, setWasThere] = useState(false);
  // A look from before the divider was known says nothing about it.
  if (divider !== null && dividerId === divider.id && !isDividerAbove && !wasThere) setWasThere(true);
  return divider !== null && isDividerAbove && !wasThere;
}

function useMenu(scroller: RefObject<HTMLElement | null>, messages: readonly TimelineMessage[]) {
  const { act } = useConversation();
  const [messageId, setMessageId] = useState<string | null>(null);
  const message = messages.find(({ id }) => id === messageId) ?? null;
  const elementOf = (): HTMLElement | null =>
    message === null || scroller.current === null ? null : findMessageElement(scroller.current, message.id);
  return {
    message,
    open: (target: EventTarget): boolean => {
      const id = wantsNativeMenu(target) ? null : messageIdOf(target);
      if (id !== null) setMessageId(id);
      return id !== null;
    },
    chooseReaction: () => {
      const element = elementOf();
      if (message !== null && element !== null) act.chooseReaction(message, element);
    },
    /** Whatever was chosen may have taken the focus elsewhere. */
    finalFocus: () =>
      document.activeElement?.closest(".composer, .emoji-popover") == null ? (elementOf() ?? true) : false,
  };
}

/** Follows the address, and whoever holds the handle, to a message. */
function useJumping(
  { messageId, onMissing, ref }: TimelineViewProps,
  { jumpTo, jumpToNewest }: Scroll,
): void {
  const jump = useCallback(
    async (id: string): Promise<void> => {
      if (!(await jumpTo(id))) onMissing();
    },
    [jumpTo, onMissing],
  );
  useEffect(() => {
    if (messageId !== null) void jump(messageId);
  }, [messageId, jump]);
  useImperativeHandle(ref, () => ({
    jumpTo: (id) => void jump(id),
    jumpToNewest: () => void jumpToNewest(),
  }));
}

/** The messages of a channel, with their menu and the ways through them. */
export function TimelineView(props: TimelineViewProps) {
  const { timeline, state, channel, linkOf, onLeave } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useWindow(state.messages);
  const scroll = useScroll(timeline, state, shown);
  const roving = useRoving(scroller, shown.messages, scroll, onLeave);
  const menu = useMenu(scroller, shown.messages);
  const isUnreadAbove = useUnreadAbove(state, scroll);
  useJumping(props, scroll);
  return (
    <div className="timeline">
      <ContextMenu.Root>
        <ContextMenu.Trigger
          ref={scroller}
          className="timeline-scroll"
          role="log"
          aria-live="off"
          aria-label={strings.chat.timeline(channel)}
          onKeyDown={roving.onKeyDown}
          onFocus={({ target }) => roving.onFocus(messageIdOf(target))}
          onWheel={scroll.onHand}
          onTouchMove={scroll.onHand}
          onPointerDown={scroll.onHand}
          onContextMenu={(event) => {
            if (!menu.open(event.target)) event.preventBaseUIHandler();
          }}
        >
          <MessageList
            shown={shown}
            state={state}
            scroller={scroller}
            scroll={scroll}
            activeId={roving.activeId}
            channel={channel}
          />
        </ContextMenu.Trigger>
        {menu.message !== null && (
          <MessageMenu
            message={menu.message}
            linkOf={linkOf}
            onChooseReaction={menu.chooseReaction}
            finalFocus={menu.finalFocus}
          />
        )}
      </ContextMenu.Root>
      <JumpPills state={state} scroll={scroll} isUnreadAbove={isUnreadAbove} onNewest={onLeave} />
    </div>
  );
}
