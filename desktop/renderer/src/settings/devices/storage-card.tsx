import { useQuery } from "@tanstack/react-query";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { useAnnouncer } from "../../ui/announcer.tsx";
import { format } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import { Card } from "../../ui/card.tsx";
import { Choice } from "../../ui/fields/choice.tsx";

const text = strings.account.storage;

const MB = 1_000_000;
const LIMITS: readonly (number | null)[] = [100 * MB, 500 * MB, 2_000 * MB, 10_000 * MB, null];
const AGAIN_MS = 5_000;

const nameOf = (limit: number | null): string => (limit === null ? text.all : format.bytes(limit));

function Used() {
  const { store } = useClient();
  const { data, isError } = useQuery({
    queryKey: ["storage-use"],
    queryFn: () => store.usage(),
    refetchInterval: AGAIN_MS,
    gcTime: 0,
  });
  if (data !== undefined)
    return <p className="quiet">{text.used(format.bytes(data.bytes), format.count(data.messages))}</p>;
  return <p className="quiet">{isError ? text.failed : text.measuring}</p>;
}

/** How much this device keeps, and how much it may. */
export function StorageCard() {
  const { preferences } = useClient();
  const { say } = useAnnouncer();
  const limit = useReadable(preferences.state, ({ keepAtMost }) => keepAtMost);
  const offered = LIMITS.includes(limit) ? LIMITS : [limit, ...LIMITS];
  return (
    <Card title={text.title} help={text.help}>
      <Used />
      <Choice
        label={text.limit}
        value={String(limit)}
        options={offered.map((it) => ({ value: String(it), label: nameOf(it) }))}
        onChange={(chosen) => {
          const keepAtMost = chosen === "null" ? null : Number(chosen);
          preferences.change({ keepAtMost });
          say(text.changed(nameOf(keepAtMost)));
        }}
      />
    </Card>
  );
}
