import { useEffect, useState } from "react";
import type { Timeline } from "@hearth/client";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Callout } from "../../ui/callout.tsx";

const SLOW_MS = 6_000;
const LINES = [62, 38, 80, 54, 71, 45];

/** The shape of messages, until they are there. */
export function TimelineLoading() {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="timeline timeline-loading">
      <div aria-hidden="true">
        {LINES.map((width) => (
          <div key={width} className="message-skeleton">
            <i />
            <b style={{ inlineSize: `${width}%` }} />
          </div>
        ))}
      </div>
      <p className="quiet" role="status">
        {isSlow ? strings.chat.slow : strings.chat.loading}
      </p>
    </div>
  );
}

export function TimelineFailed({ timeline }: { timeline: Timeline }) {
  return (
    <div className="timeline timeline-failed" role="alert">
      <Callout
        tone="bad"
        title={strings.chat.failed}
        actions={<Button onClick={() => void timeline.jumpToNewest()}>{strings.app.retry}</Button>}
      />
    </div>
  );
}

export function TimelineEmpty({ channel }: { channel: string }) {
  return (
    <div className="timeline timeline-empty">
      <p className="timeline-empty-title">{strings.chat.empty}</p>
      <p className="quiet">
        {strings.chat.beginning(channel)} {strings.chat.emptyHelp}
      </p>
    </div>
  );
}
