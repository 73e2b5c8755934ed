import type { SessionEnd } from "@hearth/client";
import { strings } from "../strings/strings.ts";
import { Callout } from "../ui/callout.tsx";

const text = strings.auth.ended;

/** Why somebody has to sign in again, and that nothing is lost (rule CL3). */
export function SessionEnded({ end }: { end: SessionEnd }) {
  const { host } = new URL(end.signalServerUrl);
  return (
    <Callout tone="warning" title={text.title}>
      <p>
        {text.reasons[end.reason](host)} {text.kept}
      </p>
    </Callout>
  );
}
