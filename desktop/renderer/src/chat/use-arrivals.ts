import { useEffect } from "react";
import type { ChannelRef } from "@hearth/store";
import { useClient } from "../context/client-context.tsx";
import { useAnnouncer } from "../ui/announcer.tsx";
import { strings } from "../strings/strings.ts";
import { createArrivalVoice } from "./arrival-voice.ts";
import { previewOf } from "./markdown/preview.ts";

const SPOKEN = 120;

/** Tells people who listen to the page what is said in the conversation that is open. */
export function useArrivals({ roomId, channelId }: ChannelRef): void {
  const { blocks, chat, servers, platform } = useClient();
  const announcer = useAnnouncer();
  useEffect(() => {
    const voice = createArrivalVoice({
      later: (milliseconds, run) => platform.later(milliseconds, run),
      say: announcer.say,
      many: strings.chat.arrivedMany,
    });
    const leave = chat.onArrival(({ channel, message }) => {
      if (channel.roomId !== roomId || channel.channelId !== channelId) return;
      const url = servers.state.getState().servers.get(roomId)?.room.signalServerUrl;
      if (url !== undefined && blocks.isBlocked(url, message.senderId)) return;
      if (!platform.attention.getState().isVisible) return;
      voice.arrived(strings.chat.arrived(message.senderDisplayName, previewOf(message.content, SPOKEN)));
    });
    return () => {
      leave();
      voice.stop();
    };
  }, [blocks, chat, servers, platform, announcer, roomId, channelId]);
}
