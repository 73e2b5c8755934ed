import { useEffect } from "react";
import { useAnnouncer } from "../../ui/announcer.tsx";
import { format } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Failed, Pending } from "../../ui/pending.tsx";
import { ServerCard } from "./server-card.tsx";
import { useServers } from "./use-directory.ts";
import type { Look } from "./use-directory.ts";

const text = strings.servers.directory;

interface Props {
  readonly url: string;
  readonly look: Look;
  readonly title: string;
  readonly onTag: (tag: string) => void;
}

/** Tells how much a search found, once it has. */
function useToldCount(look: Look, count: number | undefined): void {
  const { say } = useAnnouncer();
  const isAsked = look.kind === "search" || look.kind === "tag";
  useEffect(() => {
    if (isAsked && count !== undefined) say(text.resultsCount(format.count(count), count === 1));
  }, [isAsked, count, say]);
}

/** One list of servers of chat. A recommendation that is empty is not shown at all. */
export function ServerShelf({ url, look, title, onTag }: Props) {
  const { servers, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useServers(url, look);
  useToldCount(look, servers?.length);
  const isAsked = look.kind === "search" || look.kind === "tag";
  if (servers?.length === 0 && (look.kind === "featured" || look.kind === "trending")) return null;
  return (
    <section className="shelf" aria-label={title}>
      <h2>{title}</h2>
      {servers === undefined && error !== null && <Failed error={error} onRetry={() => void refetch()} />}
      {servers === undefined && error === null && <Pending label={text.loading} rows={3} />}
      {servers?.length === 0 && (
        <p className="empty">
          {isAsked ? text.noResults : text.empty} {isAsked ? text.noResultsHelp : text.emptyHelp}
        </p>
      )}
      <ul className="server-cards">
        {servers?.map((server) => (
          <ServerCard key={server.id} url={url} server={server} onTag={onTag} />
        ))}
      </ul>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {text.more}
        </Button>
      )}
    </section>
  );
}
