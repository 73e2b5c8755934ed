import type { KeyboardEvent } from "react";
import type { SavedServer } from "@hearth/client";
import type { DeviceMessage } from "@hearth/device";
import { RouteLink } from "../../navigation/navigation.tsx";
import { strings } from "../../strings/strings.ts";
import { times } from "../times.ts";
import { previewOf } from "../markdown/preview.ts";
import { excerptOf, groupResults } from "./result-groups.ts";
import type { ResultGroup } from "./result-groups.ts";

const WHOLE = 4_000;

interface Props {
  readonly found: readonly DeviceMessage[];
  readonly query: string;
  readonly servers: ReadonlyMap<string, SavedServer>;
  readonly onChosen: (message: DeviceMessage) => void;
}

function Result({
  message,
  query,
  onChosen,
}: Pick<Props, "query" | "onChosen"> & { message: DeviceMessage }) {
  const { id, roomId, channelId, senderDisplayName, timestamp, content } = message;
  return (
    <li>
      <RouteLink
        className="search-result"
        to={{ area: "room", roomId, channelId, messageId: id }}
        onClick={() => onChosen(message)}
      >
        <span className="search-result-head">
          <bdi className="message-sender">{senderDisplayName}</bdi>
          <time dateTime={new Date(timestamp).toISOString()} title={times.exact(timestamp)}>
            {`${times.day(timestamp, Date.now())}, ${times.minute(timestamp)}`}
          </time>
        </span>
        <bdi className="search-result-text">
          {excerptOf(previewOf(content, WHOLE), query).map(({ text, isHit }, index) =>
            isHit ? <mark key={index}>{text}</mark> : text,
          )}
        </bdi>
      </RouteLink>
    </li>
  );
}

function titleOf({ roomId, channelId }: ResultGroup, servers: Props["servers"]): string {
  const room = servers.get(roomId)?.room;
  const channel = room?.channels.find(({ id }) => id === channelId)?.name;
  if (room === undefined) return strings.chat.unknownServer;
  return channel === undefined ? room.name : strings.chat.resultsIn(room.name, channel);
}

/** Up and Down go from result to result. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  const results = [...event.currentTarget.querySelectorAll<HTMLElement>(".search-result")];
  const next = results[results.findIndex((it) => it === document.activeElement) + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

export function SearchResults({ found, query, servers, onChosen }: Props) {
  return (
    <div className="search-results" onKeyDown={moveFocus}>
      {groupResults(found).map((group) => (
        <section key={group.key}>
          <h3>{titleOf(group, servers)}</h3>
          <ul>
            {group.messages.map((message) => (
              <Result key={message.id} message={message} query={query} onChosen={onChosen} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
