import type { TimelineMessage } from "@hearth/client";
import { format } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import { ChatIcon } from "../chat-icon.tsx";
import { useConversation, useTabIndex } from "../conversation-context.tsx";
import { EmojiGlyph } from "../emoji/emoji-glyph.tsx";
import { namesOf, reactionGroups } from "./reactions.ts";
import type { ReactionGroup } from "./reactions.ts";
import "./reaction-bar.css";

function Reaction({ message, group }: { message: TimelineMessage; group: ReactionGroup }) {
  const { act, people, ownId } = useConversation();
  const tabIndex = useTabIndex();
  const { emoji, userIds, isOwn } = group;
  const { names, others } = namesOf(userIds, {
    ownId,
    you: strings.chat.you,
    nameOf: (userId) => people.get(userId)?.displayName,
  });
  const who = format.list(others > 0 ? [...names, strings.chat.others(others)] : names);
  return (
    <li>
      <button
        type="button"
        className="reaction"
        aria-pressed={isOwn}
        aria-label={strings.chat.reaction(emoji, userIds.length, who)}
        title={who}
        tabIndex={tabIndex}
        onClick={() => act.react(message, emoji)}
      >
        <EmojiGlyph emoji={emoji} />
        <span>{format.count(userIds.length)}</span>
      </button>
    </li>
  );
}

export function ReactionBar({ message }: { message: TimelineMessage }) {
  const { act, ownId } = useConversation();
  const tabIndex = useTabIndex();
  if (message.reactions.length === 0) return null;
  return (
    <ul className="reactions">
      {reactionGroups(message.reactions, ownId).map((group) => (
        <Reaction key={group.emoji} message={message} group={group} />
      ))}
      <li>
        <button
          type="button"
          className="reaction reaction-add"
          aria-label={strings.chat.react}
          title={strings.chat.react}
          tabIndex={tabIndex}
          onClick={(event) => act.chooseReaction(message, event.currentTarget)}
        >
          <ChatIcon name="smile" size={16} />
        </button>
      </li>
    </ul>
  );
}
