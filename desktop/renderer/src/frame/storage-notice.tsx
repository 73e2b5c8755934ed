import { useEffect, useState } from "react";
import { useClient, useReadable } from "../context/client-context.tsx";
import { strings } from "../strings/strings.ts";
import { Button } from "../ui/button.tsx";
import { useAnnouncer } from "../ui/announcer.tsx";
import { navigate } from "../navigation/navigation.tsx";
import "./notice.css";

const text = strings.shell.storage;

/** That old messages went to make room, until it is dismissed. */
export function DroppedNotice() {
  const { storage } = useClient();
  const { say } = useAnnouncer();
  const dropped = useReadable(storage, (state) => state.dropped);
  const [seenAt, setSeenAt] = useState(0);
  const reason = dropped !== null && dropped.at > seenAt ? dropped.reason : null;
  useEffect(() => {
    if (reason !== null) say(text.dropped[reason]);
  }, [reason, say]);
  if (dropped === null || reason === null) return null;
  return (
    <section className="notice" data-tone="plain" aria-label={text.label}>
      <p>
        {text.dropped[reason]} {text.droppedHelp}
      </p>
      <Button onClick={() => navigate({ area: "settings", page: "devices" })}>{text.limit}</Button>
      <Button onClick={() => setSeenAt(dropped.at)}>{text.dismiss}</Button>
    </section>
  );
}

/** That this device keeps nothing at the moment; it goes by itself when something could be written again. */
export function StorageNotice() {
  const { storage } = useClient();
  const { say } = useAnnouncer();
  const trouble = useReadable(storage, (state) => state.trouble);
  useEffect(() => {
    if (trouble !== null) say(strings.problems[trouble]);
  }, [trouble, say]);
  if (trouble === null) return null;
  return (
    <section className="notice" data-tone="bad" aria-label={text.label}>
      <p>
        <strong>{strings.problems[trouble]}</strong> {text.lost} {text.help[trouble]}
      </p>
    </section>
  );
}
