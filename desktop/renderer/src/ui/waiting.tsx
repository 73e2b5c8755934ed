import { strings } from "../strings/strings.ts";
import { Button } from "./button.tsx";
import { Callout } from "./callout.tsx";
import "./pending.css";

/** Stands where something will be shown once the app has answered. */
export function Waiting({ phase, onRetry }: { phase: "asking" | "unanswered"; onRetry: () => void }) {
  if (phase === "asking")
    return (
      <p className="waiting" role="status">
        {strings.app.loading}
      </p>
    );
  return (
    <div role="alert">
      <Callout
        tone="bad"
        title={strings.app.unreachable}
        actions={<Button onClick={onRetry}>{strings.app.retry}</Button>}
      >
        <p>{strings.app.unreachableHelp}</p>
      </Callout>
    </div>
  );
}
