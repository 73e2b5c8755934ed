import { useEffect, useState } from "react";
import { createStore } from "zustand/vanilla";
import type { Timeline, TimelineState } from "@hearth/client";
import type { ChannelRef } from "@hearth/store";
import { useClient, useReadable } from "../context/client-context.tsx";

const LOADING = createStore<TimelineState>(() => ({
  phase: "loading",
  messages: [],
  hasOlder: false,
  hasNewer: false,
  divider: null,
  unread: { messages: 0, mentions: 0, first: null },
}));

/** The messages of a channel, held for as long as they are shown. */
export function useTimeline({ roomId, channelId }: ChannelRef): {
  readonly timeline: Timeline | null;
  readonly state: TimelineState;
} {
  const { chat } = useClient();
  const [timeline, setTimeline] = useState<Timeline | null>(null);
  useEffect(() => {
    const held = chat.timeline({ roomId, channelId });
    setTimeline(held);
    return () => {
      setTimeline(null);
      held.release();
    };
  }, [chat, roomId, channelId]);
  const state = useReadable(timeline?.state ?? LOADING, (it) => it);
  return { timeline, state };
}
