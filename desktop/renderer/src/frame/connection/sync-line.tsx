import { useClient, useReadable } from "../../context/client-context.tsx";
import { format } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import "./sync-line.css";

const text = strings.shell.sync;

/** How far the account's devices are in telling each other; nothing while there is nothing to tell. */
export function SyncLine() {
  const { sync } = useClient();
  const progress = useReadable(sync.state, (state) => state.progress);
  if (progress === null) return null;
  const { direction, device, done, total } = progress;
  const label = direction === "receiving" ? text.receiving(device) : text.sending(device);
  return (
    <section className="sync-line" aria-label={label}>
      <span>{label}</span>
      <progress aria-label={label} {...(total === null ? {} : { value: done, max: Math.max(total, 1) })} />
      {total !== null && <span>{text.progress(format.count(done), format.count(total))}</span>}
    </section>
  );
}
