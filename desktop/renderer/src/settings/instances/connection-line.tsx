import { useClient, useReadable } from "../../context/client-context.tsx";
import { format } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import "../status-mark.css";
import "./connection-line.css";

const text = strings.account.instances;

/** How the connection to one signaling server is right now. */
export function ConnectionLine({ url }: { url: string }) {
  const { connections } = useClient();
  const state = useReadable(connections.states, (states) => states.get(url));
  const now = useNow(1_000);
  if (state === undefined) return null;
  const { status, lastOnlineAt } = state;
  return (
    <p className="connection" data-status={status}>
      <span className="mark" data-status={status === "online" ? "listening" : "starting"}>
        {text.connection[status]}
      </span>
      {status !== "online" && lastOnlineAt !== null && (
        <span className="quiet"> {text.lastOnline(format.relative(lastOnlineAt, now))}</span>
      )}
      {status === "waiting" && (
        <Button onClick={() => connections.of(url)?.retryNow()}>{text.retryNow}</Button>
      )}
    </p>
  );
}
