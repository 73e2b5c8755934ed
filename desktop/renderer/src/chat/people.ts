import { useMemo, useState } from "react";
import type { TimelineMessage } from "@hearth/client";
import type { SavedServer } from "@hearth/client";
import { useMembers } from "../people/use-members.ts";
import { peopleById } from "./people-by-id.ts";
import type { Person } from "./people-by-id.ts";

const NOBODY: readonly Person[] = [];

/** The people of a place, those who are there now first; by id, also those who wrote here and left. */
export function usePeople(
  server: SavedServer,
  messages: readonly TimelineMessage[],
): { readonly people: readonly Person[]; readonly byId: ReadonlyMap<string, Person> } {
  const members = useMembers(server).people;
  const people = useMemo(
    () => (members === undefined ? NOBODY : [...members.online, ...members.offline]),
    [members],
  );
  const [byId, setById] = useState<ReadonlyMap<string, Person>>(new Map());
  const next = useMemo(() => peopleById(people, messages, byId), [people, messages, byId]);
  if (next !== byId) setById(next);
  return { people, byId: next };
}
