import { serverRoutes } from "@hearth/contracts";
import type { Member } from "@hearth/contracts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { MentionedPerson } from "../../client/chat/mentions.ts";
import type { Client } from "../../client/client.ts";
import type { Place } from "../../client/places/places.ts";
import { useClient } from "../client-context.tsx";

/** Somebody who can be mentioned and has a name to show. */
export type Person = MentionedPerson;

const MAX_PAGES = 20;

async function membersOf(client: Client, { room }: Place): Promise<readonly Person[]> {
  const members: Member[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer: { readonly items: readonly Member[]; readonly nextCursor: string | null } =
      await client.rest.call(room.signalServerUrl, serverRoutes.members, {
        params: { id: room.id },
        query: { limit: 100, cursor: cursor ?? undefined },
      });
    members.push(...answer.items);
    cursor = answer.nextCursor;
    if (cursor === null) break;
  }
  return members;
}

/** People by id, each once; the later list knows the newer name. */
export function mergePeople(...lists: readonly Iterable<Person>[]): readonly Person[] {
  const byId = new Map<string, Person>();
  for (const list of lists)
    for (const { userId, displayName } of list) byId.set(userId, { userId, displayName });
  return [...byId.values()];
}

/** The people of a place: whom the device met there, its members as the server tells, and who is there now. */
export function usePeople(place: Place | undefined): readonly Person[] {
  const client = useClient();
  const roomId = place?.room.id ?? "";
  const { data: known } = useQuery({
    queryKey: ["chat-people", roomId, "device"],
    queryFn: async () =>
      ((await client.store.roomUsers(roomId)) ?? []).map(({ id, displayName }) => ({
        userId: id,
        displayName,
      })),
    enabled: place !== undefined,
  });
  const { data: members } = useQuery({
    queryKey: ["chat-people", roomId, "server"],
    queryFn: () => (place === undefined ? [] : membersOf(client, place)),
    enabled: place?.standing === "joined",
    staleTime: 60_000,
  });
  const present = place?.present;
  return useMemo(() => {
    const here = [...(present?.values() ?? [])].map(({ oderId, displayName }) => ({
      userId: oderId,
      displayName,
    }));
    return mergePeople(known ?? [], members ?? [], here);
  }, [known, members, present]);
}
