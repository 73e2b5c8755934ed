import type { TimelineMessage } from "@hearth/client";
import { strings } from "../../strings/strings.ts";
import { ChatIcon } from "../chat-icon.tsx";
import { useConversation, useTabIndex } from "../conversation-context.tsx";
import { previewOf } from "../markdown/preview.ts";
import "./reply-preview.css";

/** The message that another one answers; a click shows it in its place. */
export function ReplyPreview({ message }: { message: TimelineMessage }) {
  const { act, blocked } = useConversation();
  const tabIndex = useTabIndex();
  const { replyToId, repliesTo } = message;
  if (replyToId === null) return null;
  if (repliesTo === null)
    return (
      <p className="reply-preview" data-gone>
        <ChatIcon name="reply" size={16} />
        <span>{strings.chat.replyGone}</span>
      </p>
    );
  const isRemoved = repliesTo.deletedAt !== null;
  const text = blocked.has(repliesTo.senderId)
    ? strings.people.blockedMessage
    : isRemoved
      ? strings.chat.replyRemoved
      : previewOf(repliesTo.content);
  return (
    <button
      type="button"
      className="reply-preview"
      title={strings.chat.jumpToReplied}
      tabIndex={tabIndex}
      onClick={() => act.jumpTo(repliesTo.id)}
    >
      <ChatIcon name="reply" size={16} />
      <span className="visually-hidden">{strings.chat.inReplyTo("")}</span>
      <bdi className="reply-name">{repliesTo.senderDisplayName}</bdi>
      <bdi className="reply-text">{text}</bdi>
    </button>
  );
}
