import { memo, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { findMentions } from "@hearth/client";
import { strings } from "../../strings/strings.ts";
import { useConversation, useTabIndex } from "../conversation-context.tsx";
import type { CustomEmoji } from "../emoji/custom-emoji.ts";
import type { Person } from "../people-by-id.ts";
import { CodeBlock } from "./code-block.tsx";
import { blockElements } from "./elements.ts";
import type { Leaves } from "./elements.ts";
import { beginningOf } from "./long-text.ts";
import { readCached } from "./read-cached.ts";
import { partsOf } from "./text-parts.ts";
import "../link-button.css";
import "./message-text.css";

interface LinkProps {
  readonly href: string;
  readonly destination: string | null;
  readonly children: ReactNode;
}

function OutsideLink({ href, destination, children }: LinkProps) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" tabIndex={useTabIndex()}>
      {children}
      {destination !== null && (
        <bdi className="destination" dir="ltr">
          {` ${strings.chat.destination(destination)}`}
        </bdi>
      )}
      <span className="visually-hidden">{` ${strings.chat.opensOutside}`}</span>
    </a>
  );
}

const leavesFor = (
  mentioned: readonly Person[],
  emoji: ReadonlyMap<string, CustomEmoji>,
  ownId: string,
): Leaves => ({
  text: (text, key) =>
    partsOf(text, findMentions(text, mentioned), (shortcode) => emoji.has(shortcode)).map((part, index) => {
      const partKey = `${key}/${index}`;
      if (part.kind === "text") return part.text;
      if (part.kind === "mention")
        return (
          <span key={partKey} className="mention" data-own={part.userIds.includes(ownId) || undefined}>
            {part.text}
          </span>
        );
      const found = emoji.get(part.shortcode);
      return (
        found && (
          <img key={partKey} className="custom-emoji" src={found.url} alt={part.text} title={part.text} />
        )
      );
    }),
  codeBlock: (code, key) => <CodeBlock key={key} {...code} />,
  link: (link, key) => <OutsideLink key={key} {...link} />,
  task: (checked) => (
    <span
      className="task"
      data-checked={checked || undefined}
      role="img"
      aria-label={checked ? strings.chat.done : strings.chat.open}
    />
  ),
});

interface Props {
  readonly content: string;
  readonly mentions: readonly string[];
}

/** The text of a message; a very long one shows its beginning until somebody wants all of it. */
export const MessageText = memo(function MessageText({ content, mentions }: Props) {
  const { people, emoji, ownId } = useConversation();
  const [isWhole, setIsWhole] = useState(false);
  const tabIndex = useTabIndex();
  const beginning = useMemo(() => beginningOf(content), [content]);
  const shown = isWhole || beginning === null ? content : `${beginning} …`;
  const elements = useMemo(() => {
    const mentioned = mentions.flatMap((userId) => people.get(userId) ?? []);
    return blockElements(readCached(shown), "", leavesFor(mentioned, emoji, ownId));
  }, [shown, mentions, people, emoji, ownId]);
  return (
    <div className="message-text" dir="auto">
      {elements}
      {beginning !== null && (
        <button
          type="button"
          className="link-button"
          tabIndex={tabIndex}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? strings.chat.showLess : strings.chat.showAll}
        </button>
      )}
    </div>
  );
});
