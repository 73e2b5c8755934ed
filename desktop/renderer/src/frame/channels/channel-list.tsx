import type { DeviceChannel, DeviceRoom } from "@hearth/device";
import { channelKey } from "@hearth/client";
import type { SavedServer } from "@hearth/client";
import { hostOf } from "../../strings/host.ts";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { format } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import { Icon } from "../../ui/icon.tsx";
import { RouteLink } from "../../navigation/navigation.tsx";
import { named } from "../rail/badge-mark.tsx";
import { channelsOf } from "./channel-order.ts";
import { RoomMenu } from "./room-menu.tsx";
import "../../ui/lists.css";
import "../bar.css";
import "./channel-list.css";

const { server: text, ...shell } = strings.shell;

interface RowProps {
  readonly room: DeviceRoom;
  readonly channel: DeviceChannel;
  readonly isCurrent: boolean;
}

function TextChannel({ room, channel, isCurrent }: RowProps) {
  const { chat } = useClient();
  const place = { roomId: room.id, channelId: channel.id };
  const activity = useReadable(chat.state, (state) => state.activity.get(channelKey(place)));
  const { messages = 0, mentions = 0, hasDraft = false } = activity ?? {};
  const isUnread = messages > 0 && !room.muted;
  const label = named(
    channel.name,
    mentions > 0 ? shell.mentionCount(format.count(mentions), mentions === 1) : "",
    isUnread ? shell.unreadCount(messages > 99 ? "99+" : format.count(messages)) : "",
    hasDraft ? text.draft : "",
  );
  return (
    <li>
      <RouteLink
        to={{ area: "room", ...place, messageId: null }}
        className={isUnread ? "channel is-unread" : "channel"}
        aria-current={isCurrent ? "page" : undefined}
      >
        <Icon name="hash" size={18} />
        <span className="visually-hidden">{label}</span>
        <span className="channel-name" aria-hidden="true">
          {channel.name}
        </span>
        {hasDraft && !isCurrent && <Icon name="draft" size={16} />}
        {mentions > 0 && (
          <span className="count" data-kind="mentions" aria-hidden="true">
            {mentions > 99 ? "99+" : format.count(mentions)}
          </span>
        )}
        {isUnread && mentions === 0 && (
          <span className="count" aria-hidden="true">
            {messages > 99 ? "99+" : format.count(messages)}
          </span>
        )}
      </RouteLink>
    </li>
  );
}

function VoiceChannel({ channel, talking }: { channel: DeviceChannel; talking: readonly string[] }) {
  return (
    <li className="channel is-voice">
      <Icon name="voice" size={18} />
      <span className="channel-name">{channel.name}</span>
      {talking.length > 0 && <span className="quiet">{text.inVoice(format.list(talking))}</span>}
    </li>
  );
}

const talkingIn = ({ present }: SavedServer, channelId: string): readonly string[] =>
  [...present.values()]
    .filter(({ voice }) => voice?.channelId === channelId)
    .map(({ displayName }) => displayName);

interface Props {
  readonly server: SavedServer;
  readonly channelId: string | null;
  /** It is all there is in sight, so its heading is the page's. */
  readonly isAlone: boolean;
}

/** The channels of the chosen room. */
export function ChannelList({ server, channelId, isAlone }: Props) {
  const { room } = server;
  const voice = channelsOf(room, "voice");
  const Heading = isAlone ? "h1" : "h2";
  return (
    <nav className="channels" aria-label={shell.channels(room.name)} data-muted={room.muted || undefined}>
      <div className="bar">
        <div className="bar-names">
          <Heading className="bar-title">{room.name}</Heading>
          <p className="bar-detail">
            <bdi dir="ltr">{hostOf(room.signalServerUrl)}</bdi>
          </p>
        </div>
        {room.muted && <Icon name="bell-off" size={18} />}
        <RoomMenu room={room} />
      </div>
      <div className="channels-scroll">
        <h3 className="list-heading">{text.textChannels}</h3>
        <ul>
          {channelsOf(room, "text").map((channel) => (
            <TextChannel
              key={channel.id}
              room={room}
              channel={channel}
              isCurrent={channel.id === channelId}
            />
          ))}
        </ul>
        {voice.length > 0 && (
          <>
            <h3 className="list-heading">{text.voiceChannels}</h3>
            <ul>
              {voice.map((channel) => (
                <VoiceChannel key={channel.id} channel={channel} talking={talkingIn(server, channel.id)} />
              ))}
            </ul>
            <p className="channels-note">{text.voiceLater}</p>
          </>
        )}
      </div>
    </nav>
  );
}
