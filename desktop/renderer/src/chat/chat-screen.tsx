import { useEffect, useState } from "react";
import { channelKey } from "@hearth/client";
import type { ChatProps } from "../frame/room-area.tsx";
import { useClient, useReadable } from "../context/client-context.tsx";
import { onPageCommand } from "../context/page-commands.ts";
import { strings } from "../strings/strings.ts";
import { ConversationView } from "./conversation-view.tsx";
import "./chat-screen.css";

/** A channel: what was said in it, and where one writes. */
export function ChatScreen({ channel: at, messageId }: ChatProps) {
  const server = useReadable(useClient().servers.state, ({ servers }) => servers.get(at.roomId));
  const [isSearching, setIsSearching] = useState(false);
  useEffect(() => onPageCommand("search", () => setIsSearching((it) => !it)), []);
  if (server === undefined) return <p className="composer-blocked">{strings.chat.missing}</p>;
  const { name, channels } = server.room;
  const channel = channels.find(({ id }) => id === at.channelId)?.name ?? name;
  return (
    <section className="chat" aria-label={strings.chat.conversation(name, channel)}>
      <ConversationView
        key={channelKey(at)}
        server={server}
        at={at}
        channel={channel}
        messageId={messageId}
        isSearching={isSearching}
        onSearchClosed={() => setIsSearching(false)}
      />
    </section>
  );
}
