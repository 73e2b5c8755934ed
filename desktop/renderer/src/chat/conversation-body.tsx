import type { TimelineState } from "@hearth/client";
import { TimelineEmpty, TimelineFailed, TimelineLoading } from "./timeline/timeline-phase.tsx";
import { TimelineView } from "./timeline/timeline-view.tsx";
import type { TimelineViewProps } from "./timeline/timeline-view.tsx";

type Props = Omit<TimelineViewProps, "timeline"> & {
  readonly timeline: TimelineViewProps["timeline"] | null;
};

const isEmpty = ({ messages, hasOlder, hasNewer }: TimelineState): boolean =>
  messages.length === 0 && !hasOlder && !hasNewer;

/** The messages of a channel, or what there is instead. */
export function ConversationBody({ timeline, ...rest }: Props) {
  const { state, channel } = rest;
  if (timeline === null || state.phase === "loading") return <TimelineLoading />;
  if (state.phase === "failed") return <TimelineFailed timeline={timeline} />;
  if (isEmpty(state)) return <TimelineEmpty channel={channel} />;
  return <TimelineView {...rest} timeline={timeline} />;
}
