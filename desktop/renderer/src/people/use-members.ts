import { serverRoutes } from "@hearth/contracts";
import type { Member } from "@hearth/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { Client } from "@hearth/client";
import type { Incoming } from "@hearth/client";
import type { SavedServer } from "@hearth/client";
import { useClient } from "../context/client-context.tsx";
import { allPages } from "../context/all-pages.ts";
import { peopleOf } from "./member-groups.ts";

/** A hundred members each; a larger place is shown in part. */
const MAX_PAGES = 50;

export const membersKey = (roomId: string) => ["members", roomId] as const;

const allMembers = ({ rest }: Client, url: string, id: string, signal: AbortSignal) =>
  allPages(MAX_PAGES, (cursor) =>
    rest.call(url, serverRoutes.members, { params: { id }, query: { limit: 100, cursor }, signal }),
  );

const storedMembers = async ({ store }: Client, roomId: string) =>
  ((await store.roomUsers(roomId)) ?? []).map(({ id, displayName, username, role }) => ({
    userId: id,
    ...{ displayName, username },
    role,
  }));

const concerns = (message: Incoming, roomId: string): boolean =>
  message.type === "member_updated" && message.serverId === roomId;

/** Reads the list anew when a role changes, or when somebody is there who is not on it. */
function useFreshMembers(server: SavedServer, members: readonly Pick<Member, "userId">[] | undefined): void {
  const { connections } = useClient();
  const queries = useQueryClient();
  const { id } = server.room;
  useEffect(
    () =>
      connections.on((_url, message) => {
        if (concerns(message, id)) void queries.invalidateQueries({ queryKey: membersKey(id) });
      }),
    [connections, queries, id],
  );
  const hasNewcomer =
    members && [...server.present.keys()].some((key) => !members.some((it) => it.userId === key));
  useEffect(() => {
    if (hasNewcomer === true) void queries.invalidateQueries({ queryKey: membersKey(id) });
  }, [hasNewcomer, queries, id]);
}

/** The people of a room: from its server, and while that does not answer those whom this device knows. */
export function useMembers(server: SavedServer) {
  const client = useClient();
  const { id, signalServerUrl } = server.room;
  const told = useQuery({
    queryKey: membersKey(id),
    queryFn: async ({ signal }) => {
      const { items, reach } = await allMembers(client, signalServerUrl, id, signal);
      void client.servers.keepMembers(id, items, reach);
      return items;
    },
    enabled: server.joinState === "joined",
    staleTime: 60_000,
  });
  const stored = useQuery({
    queryKey: ["stored-members", id],
    queryFn: () => storedMembers(client, id),
    enabled: told.data === undefined,
  });
  useFreshMembers(server, told.data);
  const members = told.data ?? stored.data;
  const people = useMemo(() => members && peopleOf(members, server.present), [members, server.present]);
  return {
    people: told.data !== undefined || told.isError || server.joinState !== "joined" ? people : undefined,
    isStored: told.data === undefined,
    error: told.error,
    retry: () => void told.refetch(),
  };
}
