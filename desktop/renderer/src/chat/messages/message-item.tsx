import { memo, useState } from "react";
import { strings } from "../../strings/strings.ts";
import { Icon } from "../../ui/icon.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { ChatIcon } from "../chat-icon.tsx";
import { Username } from "../../people/username.tsx";
import { TabStops, useConversation, useTabIndex } from "../conversation-context.tsx";
import { IconButton } from "../icon-button.tsx";
import { MessageText } from "../markdown/message-text.tsx";
import { times } from "../times.ts";
import { AttachmentList } from "./attachment-list.tsx";
import { DeliveryLine } from "./delivery-line.tsx";
import { openMenuOf } from "./message-element.ts";
import type { MessageRow } from "../timeline/message-rows.ts";
import { ReactionBar } from "./reaction-bar.tsx";
import { ReplyPreview } from "./reply-preview.tsx";
import "../link-button.css";
import "./separators.css";
import "./message-item.css";

interface Props extends MessageRow {
  /** It has the focus of the arrow keys. */
  readonly isActive: boolean;
  /** Somebody just jumped to it. */
  readonly isShown: boolean;
}

function Time({ at, className }: { at: number; className: string }) {
  return (
    <time className={className} dateTime={new Date(at).toISOString()} title={times.exact(at)}>
      {times.minute(at)}
    </time>
  );
}

function Toolbar({ message, isActive }: Pick<Props, "message" | "isActive">) {
  const { act } = useConversation();
  const tabIndex = isActive ? 0 : -1;
  return (
    <div className="message-toolbar" role="group" aria-label={strings.chat.actions}>
      <IconButton
        label={strings.chat.react}
        tabIndex={tabIndex}
        onClick={(event) => act.chooseReaction(message, event.currentTarget)}
      >
        <ChatIcon name="smile" />
      </IconButton>
      <IconButton label={strings.chat.reply} tabIndex={tabIndex} onClick={() => act.reply(message)}>
        <ChatIcon name="reply" />
      </IconButton>
      <IconButton
        label={strings.chat.more}
        aria-haspopup="menu"
        tabIndex={tabIndex}
        onClick={(event) => openMenuOf(event.currentTarget)}
      >
        <Icon name="more" />
      </IconButton>
    </div>
  );
}

function Content({ message }: Pick<Props, "message">) {
  const { id, content, mentions, editedAt, deletedAt } = message;
  if (deletedAt !== null)
    return (
      <p className="message-removed" id={`text-${id}`}>
        {strings.chat.removed}
      </p>
    );
  return (
    <div id={`text-${id}`}>
      <MessageText content={content} mentions={mentions} />
      {editedAt !== null && (
        <span className="edited" title={strings.chat.editedAt(times.exact(editedAt))}>
          {`(${strings.chat.edited})`}
        </span>
      )}
    </div>
  );
}

/** AB12: of somebody whom this account blocked. */
function Folded({ message, onShow }: Pick<Props, "message"> & { onShow: () => void }) {
  return (
    <p className="message-removed" id={`text-${message.id}`}>
      {strings.people.blockedMessage}{" "}
      <button
        type="button"
        className="link-button"
        aria-label={strings.people.showNamed(message.senderDisplayName)}
        tabIndex={useTabIndex()}
        onClick={onShow}
      >
        {strings.people.show}
      </button>
    </p>
  );
}

function Separators({ message, startsDay, startsUnread }: Omit<MessageRow, "startsGroup">) {
  const day = times.day(message.timestamp, Date.now());
  return (
    <>
      {startsDay && (
        <div className="day-separator" role="separator" aria-label={day}>
          <span>{day}</span>
        </div>
      )}
      {startsUnread && (
        <div className="unread-divider" role="separator" aria-label={strings.chat.unreadDividerLabel}>
          <span>{strings.chat.unreadDivider}</span>
        </div>
      )}
    </>
  );
}

/** One message. Who wrote it, when, and what are read as one. */
export const MessageItem = memo(function MessageItem(props: Props) {
  const { message, startsDay, startsUnread, startsGroup, isActive, isShown } = props;
  const { ownId, people, lookalikes, blocked } = useConversation();
  const { id, senderId, senderDisplayName, timestamp, deletedAt, delivery } = message;
  const [isPointed, setIsPointed] = useState(false);
  const [isUnfolded, setIsUnfolded] = useState(false);
  const isFolded = blocked.has(senderId) && !isUnfolded && deletedAt === null;
  const canAct = deletedAt === null && delivery === "sent" && !isFolded;
  return (
    <TabStops value={isActive ? 0 : -1}>
      <Separators {...{ message, startsDay, startsUnread }} />
      <article
        className="message"
        data-message-id={id}
        data-starts-group={startsGroup || undefined}
        data-delivery={delivery}
        data-mentioned={(senderId !== ownId && message.mentions.includes(ownId)) || undefined}
        data-shown={isShown || undefined}
        tabIndex={isActive ? 0 : -1}
        aria-labelledby={`by-${id} text-${id}`}
        onPointerEnter={() => setIsPointed(true)}
        onPointerLeave={() => setIsPointed(false)}
      >
        <div className="message-aside">
          {startsGroup ? (
            <Avatar id={senderId} name={senderDisplayName} />
          ) : (
            <Time at={timestamp} className="message-time" />
          )}
        </div>
        <div className="message-main">
          {!isFolded && <ReplyPreview message={message} />}
          <header className={startsGroup ? "message-head" : "visually-hidden"} id={`by-${id}`}>
            <bdi className="message-sender">{senderDisplayName}</bdi>
            {lookalikes.has(senderId) && <Username username={people.get(senderId)?.username} />}{" "}
            <Time at={timestamp} className="message-time" />
          </header>
          {isFolded ? (
            <Folded message={message} onShow={() => setIsUnfolded(true)} />
          ) : (
            <>
              <Content message={message} />
              <AttachmentList attachments={message.attachments} />
              <ReactionBar message={message} />
              <DeliveryLine message={message} />
            </>
          )}
        </div>
        {canAct && (isPointed || isActive) && <Toolbar message={message} isActive={isActive} />}
      </article>
    </TabStops>
  );
});
