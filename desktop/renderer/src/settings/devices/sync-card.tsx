import { useClient, useReadable } from "../../context/client-context.tsx";
import { format } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { useNow } from "../../ui/use-now.ts";

const text = strings.account.sync;

/** How this device stands to the account's others. */
export function SyncCard() {
  const { sync } = useClient();
  const { progress, lastSyncedAt, seen, queued } = useReadable(sync.state, (state) => state);
  const now = useNow(60_000);
  return (
    <Card title={text.title} help={text.help}>
      {progress === null ? (
        <p>{lastSyncedAt === null ? text.never : text.last(format.relative(lastSyncedAt, now))}</p>
      ) : (
        <div role="status">
          <p>{text.progress[progress.direction](progress.device)}</p>
          <progress
            aria-label={text.title}
            {...(progress.total === null ? {} : { max: progress.total, value: progress.done })}
          />
        </div>
      )}
      {seen.length > 0 && <p className="quiet">{text.seen(format.list(seen.map(({ name }) => name)))}</p>}
      {queued > 0 && <p className="quiet">{text.queued(queued)}</p>}
      <div>
        <Button busy={progress !== null} onClick={() => sync.runAgain()}>
          {text.again}
        </Button>
      </div>
    </Card>
  );
}
