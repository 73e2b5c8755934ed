import { format } from "../strings/format.ts";
import { strings } from "../strings/strings.ts";
import { Callout } from "../ui/callout.tsx";
import { useNow } from "../ui/use-now.ts";

const text = strings.auth;

export const useSecondsLeft = (until: number | null): number => {
  const now = useNow(1_000);
  return until === null ? 0 : Math.max(0, Math.ceil((until - now) / 1_000));
};

/** How long the server takes no further try, counting down. Said once to those who listen, and not every second. */
export function WaitNotice({ seconds }: { seconds: number }) {
  return (
    <div>
      <p className="visually-hidden" role="alert">
        {text.tooMany}
      </p>
      <Callout tone="warning" title={text.tooMany}>
        <p role="timer">{text.wait(format.duration(seconds))}</p>
      </Callout>
    </div>
  );
}
