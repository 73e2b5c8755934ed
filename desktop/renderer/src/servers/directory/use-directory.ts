import { serverRoutes } from "@hearth/contracts";
import type { ServerSummary } from "@hearth/contracts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Client } from "@hearth/client";
import { useClient } from "../../context/client-context.tsx";

/** What is looked at: lists while nothing is searched for. */
export type Look =
  | { readonly kind: "featured" | "trending" | "newest" }
  | { readonly kind: "tag"; readonly tag: string }
  | { readonly kind: "search"; readonly text: string };

const PAGE = 24;

function pageOf({ rest }: Client, url: string, look: Look, cursor: string | undefined, signal: AbortSignal) {
  const query = { limit: PAGE, cursor };
  switch (look.kind) {
    case "featured":
      return rest.call(url, serverRoutes.featured, { query, signal });
    case "trending":
      return rest.call(url, serverRoutes.trending, { query, signal });
    case "newest":
      return rest.call(url, serverRoutes.list, { query, signal });
    case "tag":
      return rest.call(url, serverRoutes.list, { query: { ...query, tag: look.tag }, signal });
    case "search":
      return rest.call(url, serverRoutes.search, { query: { ...query, q: look.text }, signal });
  }
}

/** Servers of chat of one signaling server, a page at a time. */
export function useServers(url: string, look: Look) {
  const client = useClient();
  const query = useInfiniteQuery({
    queryKey: ["directory", url, look],
    queryFn: ({ pageParam, signal }) => pageOf(client, url, look, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 30_000,
  });
  const servers: readonly ServerSummary[] | undefined = query.data?.pages.flatMap(({ items }) => items);
  return { ...query, servers };
}

const PAUSE_MS = 250;

/** What was typed, once typing has paused. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
