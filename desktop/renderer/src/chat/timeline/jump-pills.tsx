import type { TimelineState } from "@hearth/client";
import { strings } from "../../strings/strings.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Scroll } from "./use-scroll.ts";
import "./jump-pills.css";

interface Props {
  readonly state: TimelineState;
  readonly scroll: Scroll;
  /** The first unread ones were not in sight yet. */
  readonly isUnreadAbove: boolean;
  /** The way to the newest goes away under the finger; the focus goes on here. */
  readonly onNewest: () => void;
}

/** The ways to the first unread message and to the newest one, while they are out of sight. */
export function JumpPills({ state, scroll, isUnreadAbove, onNewest }: Props) {
  const { unread } = state;
  const count = unread.messages;
  return (
    <>
      {isUnreadAbove && (
        <button
          type="button"
          className="jump-pill"
          data-at="start"
          onClick={() => void scroll.jumpToFirstUnread()}
        >
          <Icon name="up" size={16} />
          {strings.chat.jumpToUnread(count)}
        </button>
      )}
      {!scroll.isAtEnd && (
        <button
          type="button"
          className="jump-pill"
          data-at="end"
          data-unread={count > 0 || undefined}
          onClick={() => {
            void scroll.jumpToNewest();
            onNewest();
          }}
        >
          {count > 0 && <span>{strings.chat.newMessages(count)}</span>}
          <span>{strings.chat.jumpToNewest}</span>
          <Icon name="down" size={16} />
        </button>
      )}
    </>
  );
}
