import icon from "../assets/icon.svg";
import { channelKey } from "@hearth/client";
import type { DeviceChannel, DeviceRoom } from "@hearth/device";
import { useClient, useReadable } from "../context/client-context.tsx";
import { format } from "../strings/format.ts";
import { strings } from "../strings/strings.ts";
import { Icon } from "../ui/icon.tsx";
import type { IconName } from "../ui/icon.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { channelsOf } from "../frame/channels/channel-order.ts";
import { InstanceNotices } from "../frame/connection/instance-notices.tsx";
import { navigate, RouteLink } from "../navigation/navigation.tsx";
import { railOf } from "../frame/rail/rail-order.ts";
import { useShell } from "../context/shell-context.tsx";
import "../ui/lists.css";
import "../frame/page.css";
import "./home-page.css";

const { homePage: text, ...shell } = strings.shell;

interface Waiting {
  readonly room: DeviceRoom;
  readonly channel: DeviceChannel;
  readonly messages: number;
  readonly mentions: number;
}

/** Channels with something unread, mentions first; in the order of the rail. */
function useWaiting(): readonly Waiting[] {
  const { accounts, chat, servers } = useClient();
  const instances = useReadable(accounts.state, (state) => state.instances);
  const known = useReadable(servers.state, (state) => state.servers);
  const activity = useReadable(chat.state, (state) => state.activity);
  return railOf(instances, known)
    .flatMap((group) => group.servers)
    .flatMap(({ room }) =>
      channelsOf(room, "text").map((channel) => {
        const { messages = 0, mentions = 0 } =
          activity.get(channelKey({ roomId: room.id, channelId: channel.id })) ?? {};
        return { room, channel, messages: room.muted ? 0 : messages, mentions };
      }),
    )
    .filter(({ messages, mentions }) => messages > 0 || mentions > 0)
    .sort((one, other) => Math.sign(other.mentions) - Math.sign(one.mentions));
}

function WaitingChannel({ room, channel, messages, mentions }: Waiting) {
  return (
    <li>
      <RouteLink
        to={{ area: "room", roomId: room.id, channelId: channel.id, messageId: null }}
        className="waiting-channel"
      >
        <Avatar id={room.id} name={room.name} shape="server" />
        <span className="waiting-names">
          <span className="label">#{channel.name}</span>
          <span className="quiet">{room.name}</span>
        </span>
        {mentions > 0 && (
          <span className="count" data-kind="mentions">
            {shell.mentionCount(format.count(mentions), mentions === 1)}
          </span>
        )}
        {messages > mentions && (
          <span className="count">{shell.unreadCount(messages > 99 ? "99+" : format.count(messages))}</span>
        )}
      </RouteLink>
    </li>
  );
}

interface StartProps {
  readonly icon: IconName;
  readonly title: string;
  readonly help: string;
  readonly onClick: () => void;
}

function Start({ icon, title, help, onClick }: StartProps) {
  return (
    <li>
      <button type="button" className="start" onClick={onClick}>
        <Icon name={icon} size={26} />
        <span className="label">{title}</span>
        <span className="quiet">{help}</span>
      </button>
    </li>
  );
}

function Starts() {
  const { open } = useShell();
  return (
    <ul className="starts">
      <Start
        icon="flame"
        title={shell.create}
        help={text.createHelp}
        onClick={() => open({ kind: "create", server: null })}
      />
      <Start
        icon="compass"
        title={shell.browse}
        help={text.browseHelp}
        onClick={() => navigate({ area: "directory", server: null })}
      />
      <Start
        icon="key"
        title={shell.pasteInvite}
        help={text.inviteHelp}
        onClick={() => open({ kind: "join" })}
      />
    </ul>
  );
}

/** What waits to be read, and ways to further servers. */
export function HomePage() {
  const { accounts, servers } = useClient();
  const instances = useReadable(accounts.state, (state) => state.instances);
  const isEmpty = useReadable(servers.state, (state) => state.servers.size === 0);
  const waiting = useWaiting();
  const name = instances.find(({ isHome }) => isHome)?.account?.displayName ?? "";
  return (
    <main className="main">
      <title>{strings.app.title(text.title)}</title>
      {instances.map((instance) => (
        <InstanceNotices key={instance.url} instance={instance} />
      ))}
      <div className="page home" data-idle={waiting.length === 0 || undefined}>
        {isEmpty && <img src={icon} alt="" width={64} height={64} />}
        <h1 tabIndex={-1} data-heading="">
          {isEmpty ? text.emptyTitle : text.greeting(name)}
        </h1>
        {isEmpty && <p className="lead">{text.emptyHelp}</p>}
        {!isEmpty && waiting.length === 0 && (
          <p className="lead">
            {text.caughtUp} {text.caughtUpHelp}
          </p>
        )}
        {waiting.length > 0 && (
          <section className="waiting-list" aria-label={text.unread}>
            <h2>{text.unread}</h2>
            <ul>
              {waiting.map((it) => (
                <WaitingChannel key={`${it.room.id}/${it.channel.id}`} {...it} />
              ))}
            </ul>
          </section>
        )}
        <Starts />
      </div>
    </main>
  );
}
