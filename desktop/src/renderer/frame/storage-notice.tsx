import { useEffect } from "react";
import { useClient, useReadable } from "../client-context.tsx";
import { strings } from "../strings.ts";
import { useAnnouncer } from "./announcer.tsx";

const text = strings.shell.storage;

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
