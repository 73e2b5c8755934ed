import { useEffect } from "react";
import type { DeviceRoom } from "@hearth/device";
import { useClient, useReadable } from "../context/client-context.tsx";
import { format } from "../strings/format.ts";
import { strings } from "../strings/strings.ts";
import { Hint } from "../ui/overlays/hint.tsx";
import { Icon } from "../ui/icon.tsx";
import { RouteLink } from "../navigation/navigation.tsx";
import { onPageCommand, sendPageCommand } from "../context/page-commands.ts";
import "../ui/button.css";
import "./bar.css";

const { members: text, ...shell } = strings.shell;

interface Props {
  readonly room: DeviceRoom;
  readonly channelId: string | null;
  readonly hasMembers: boolean;
  readonly onMembers: () => void;
}

/** The title of the page counts the mentions of all rooms, so that a tab in the background tells. */
function PageTitle({ name }: { name: string }) {
  const { chat } = useClient();
  const mentions = useReadable(chat.state, ({ activity }) =>
    [...activity.values()].reduce((sum, it) => sum + it.mentions, 0),
  );
  const title = strings.app.title(name);
  return <title>{mentions > 0 ? `(${format.count(mentions)}) ${title}` : title}</title>;
}

/** Which channel this is, the way back where there is one column, and the door to the members. */
export function RoomBar({ room, channelId, hasMembers, onMembers }: Props) {
  const channel = room.channels.find(({ id }) => id === channelId);
  const label = hasMembers ? text.hide : text.show;
  useEffect(() => onPageCommand("members", onMembers), [onMembers]);
  return (
    <header className="bar main-bar">
      <PageTitle name={channel === undefined ? room.name : `#${channel.name}, ${room.name}`} />
      <RouteLink
        to={{ area: "room", roomId: room.id, channelId: null, messageId: null }}
        className="icon-button only-narrow"
        aria-label={shell.backToList}
      >
        <Icon name="back" />
      </RouteLink>
      <div className="bar-names">
        <h1 className="bar-title" tabIndex={-1} data-heading="">
          {channel === undefined ? (
            room.name
          ) : (
            <>
              <Icon name="hash" size={18} />
              {channel.name}
            </>
          )}
        </h1>
        <p className="bar-detail only-narrow">{room.name}</p>
      </div>
      {channel !== undefined && (
        <Hint text={strings.chat.searchHere}>
          <button
            type="button"
            className="icon-button"
            aria-label={strings.chat.searchHere}
            onClick={() => sendPageCommand("search", null)}
          >
            <Icon name="search" />
          </button>
        </Hint>
      )}
      <Hint text={label}>
        <button
          type="button"
          className="icon-button"
          aria-label={label}
          aria-expanded={hasMembers}
          onClick={onMembers}
        >
          <Icon name="people" />
        </button>
      </Hint>
    </header>
  );
}
