import { ContextMenu } from "@base-ui/react/context-menu";
import type { TimelineMessage } from "@hearth/client";
import type { DeviceRoom } from "@hearth/device";
import { useSafety } from "../../people/use-safety.ts";
import { strings } from "../../strings/strings.ts";
import { Icon } from "../../ui/icon.tsx";
import { ChatIcon } from "../chat-icon.tsx";
import { useConversation } from "../conversation-context.tsx";
import type { Conversation } from "../conversation-context.tsx";
import { QUICK_REACTIONS } from "../emoji/quick-reactions.ts";
import { rightsOver } from "./message-rights.ts";
import "./message-menu.css";

interface Props {
  readonly message: TimelineMessage;
  readonly linkOf: (message: TimelineMessage) => string;
  readonly onChooseReaction: () => void;
  readonly finalFocus: () => HTMLElement | boolean;
}

function Reactions({ message, onChooseReaction }: Pick<Props, "message" | "onChooseReaction">) {
  const { act } = useConversation();
  return (
    <>
      <ContextMenu.Group className="menu-reactions">
        <ContextMenu.GroupLabel className="visually-hidden">
          {strings.chat.quickReactions}
        </ContextMenu.GroupLabel>
        {QUICK_REACTIONS.map((emoji) => (
          <ContextMenu.Item
            key={emoji}
            className="menu-reaction"
            aria-label={strings.chat.reactWith(emoji)}
            onClick={() => act.react(message, emoji)}
          >
            {emoji}
          </ContextMenu.Item>
        ))}
      </ContextMenu.Group>
      <ContextMenu.Item className="chat-menu-item" onClick={onChooseReaction}>
        <ChatIcon name="smile" />
        {strings.chat.react}
      </ContextMenu.Item>
    </>
  );
}

function Undelivered({ message, act }: { message: TimelineMessage; act: Conversation["act"] }) {
  return (
    <>
      <ContextMenu.Item className="chat-menu-item" onClick={() => act.retry(message)}>
        <ChatIcon name="retry" />
        {strings.chat.retry}
      </ContextMenu.Item>
      <ContextMenu.Item className="chat-menu-item" data-tone="danger" onClick={() => act.discard(message)}>
        <ChatIcon name="trash" />
        {strings.chat.discard}
      </ContextMenu.Item>
    </>
  );
}

/** AB12: about the person who wrote it. */
function SafetyItems({ message, room }: Pick<Props, "message"> & { room: DeviceRoom }) {
  const safety = useSafety(room);
  const { id, content, senderId: userId, senderDisplayName: displayName } = message;
  return (
    <>
      <ContextMenu.Item
        className="chat-menu-item"
        onClick={() => safety.toggleBlock({ userId, displayName })}
      >
        <Icon name="bell-off" />
        {safety.isBlocked(userId) ? strings.people.unblock : strings.people.block}
      </ContextMenu.Item>
      <ContextMenu.Item
        className="chat-menu-item"
        data-tone="danger"
        onClick={() => safety.report({ userId, displayName }, { id, content })}
      >
        <Icon name="shield" />
        {strings.people.report}
      </ContextMenu.Item>
    </>
  );
}

function Items({ message, linkOf, onChooseReaction }: Omit<Props, "finalFocus">) {
  const { act, ownId, room } = useConversation();
  const may = rightsOver(message, ownId, room?.role ?? "member");
  return (
    <>
      {may.answer && <Reactions message={message} onChooseReaction={onChooseReaction} />}
      {may.answer && (
        <ContextMenu.Item className="chat-menu-item" onClick={() => act.reply(message)}>
          <ChatIcon name="reply" />
          {strings.chat.reply}
        </ContextMenu.Item>
      )}
      {may.edit && (
        <ContextMenu.Item className="chat-menu-item" onClick={() => act.edit(message)}>
          <Icon name="draft" />
          {strings.chat.edit}
        </ContextMenu.Item>
      )}
      {may.copy && (
        <ContextMenu.Item
          className="chat-menu-item"
          onClick={() => act.copy(message.content, strings.chat.textCopied)}
        >
          <ChatIcon name="copy" />
          {strings.chat.copy}
        </ContextMenu.Item>
      )}
      <ContextMenu.Item
        className="chat-menu-item"
        onClick={() => act.copy(linkOf(message), strings.chat.linkCopied)}
      >
        <ChatIcon name="link" />
        {strings.chat.copyLink}
      </ContextMenu.Item>
      {may.remove && (
        <ContextMenu.Item className="chat-menu-item" data-tone="danger" onClick={() => act.remove(message)}>
          <ChatIcon name="trash" />
          {strings.chat.remove}
        </ContextMenu.Item>
      )}
      {message.senderId !== ownId && room !== null && <SafetyItems message={message} room={room} />}
      {may.resend && <Undelivered message={message} act={act} />}
    </>
  );
}

/** What can be done with the message whose menu is open. */
export function MessageMenu({ finalFocus, ...rest }: Props) {
  return (
    <ContextMenu.Portal>
      <ContextMenu.Positioner className="chat-menu-place">
        <ContextMenu.Popup className="chat-menu" finalFocus={finalFocus} aria-label={strings.chat.actions}>
          <Items {...rest} />
        </ContextMenu.Popup>
      </ContextMenu.Positioner>
    </ContextMenu.Portal>
  );
}
