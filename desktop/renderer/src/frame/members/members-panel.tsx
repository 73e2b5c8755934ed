import { useEffect, useMemo, useRef } from "react";
import { VList } from "virtua";
import type { VListHandle } from "virtua";
import type { SavedServer } from "@hearth/client";
import { format } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import { Failed, Pending } from "../../ui/pending.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { lookalikesAmong } from "../../people/lookalikes.ts";
import { named } from "../rail/badge-mark.tsx";
import type { PeopleHere, PersonHere } from "../../people/member-groups.ts";
import { MemberMenu } from "./member-menu.tsx";
import { Presence } from "./presence.tsx";
import { useMembers } from "../../people/use-members.ts";
import "../../ui/lists.css";
import "./members-panel.css";

const { members: text, statuses } = strings.shell;

/** Longer lists are not laid out whole. */
const MANY = 200;

interface RowProps {
  readonly person: PersonHere;
  readonly server: SavedServer;
  readonly isWanted: boolean;
  /** AB8: another person here has a name that looks like theirs. */
  readonly isLookalike: boolean;
}

function MemberRow({ person, server, isWanted, isLookalike }: RowProps) {
  const { room } = server;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    row.current?.scrollIntoView({ block: "nearest" });
    row.current?.focus();
  }, [isWanted]);
  const isOwn = person.userId === room.actorUserId;
  const role = person.role === "member" ? "" : text.roles[person.role];
  const status = statuses[person.status ?? "offline"];
  return (
    <div
      ref={row}
      tabIndex={-1}
      className="member"
      data-offline={person.status === null || undefined}
      data-wanted={isWanted || undefined}
    >
      <span className="member-picture">
        <Avatar id={person.userId} name={person.displayName} />
        <Presence status={person.status} />
      </span>
      <span className="member-names">
        <span className="member-name">
          {person.displayName}
          {isOwn && <span className="quiet"> ({text.you})</span>}
        </span>
        <span className="visually-hidden">, {named(status, role)}</span>
        {isLookalike && person.username !== null && <bdi className="member-detail">@{person.username}</bdi>}
        {(person.statusText !== null || role !== "") && (
          <span className="member-detail" aria-hidden={person.statusText === null}>
            {person.statusText ?? role}
          </span>
        )}
      </span>
      <MemberMenu person={person} room={room} />
    </div>
  );
}

type Row =
  | { readonly kind: "heading"; readonly label: string }
  | { readonly kind: "person"; readonly person: PersonHere };

/** Whoever is not connected cannot know who is there. */
const groupsOf = ({ online, offline }: PeopleHere, { joinState }: SavedServer) =>
  [
    { label: text.online(format.count(online.length)), list: online },
    {
      label: (joinState === "joined" ? text.offline : text.all)(format.count(offline.length)),
      list: offline,
    },
  ].filter(({ list }) => list.length > 0);

const rowsOf = (people: PeopleHere, server: SavedServer): readonly Row[] =>
  groupsOf(people, server).flatMap(({ label, list }): readonly Row[] => [
    { kind: "heading", label },
    ...list.map((person): Row => ({ kind: "person", person })),
  ]);

const keyOf = (row: Row): string => (row.kind === "heading" ? row.label : row.person.userId);

interface ListProps {
  readonly people: PeopleHere;
  readonly server: SavedServer;
  readonly wanted: string | null;
}

const useLookalikes = ({ online, offline }: PeopleHere): ReadonlySet<string> =>
  useMemo(() => lookalikesAmong([...online, ...offline]), [online, offline]);

function PlainList({ people, server, wanted }: ListProps) {
  const groups = groupsOf(people, server);
  const lookalikes = useLookalikes(people);
  return (
    <div className="members-scroll">
      {groups.map(({ label, list }) => (
        <section key={label} aria-label={label}>
          <h3 className="list-heading">{label}</h3>
          <ul>
            {list.map((person) => (
              <li key={person.userId}>
                <MemberRow
                  {...{ person, server }}
                  isWanted={person.userId === wanted}
                  isLookalike={lookalikes.has(person.userId)}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function LongList({ people, server, wanted }: ListProps) {
  const rows = rowsOf(people, server);
  const lookalikes = useLookalikes(people);
  const list = useRef<VListHandle>(null);
  const index = rows.findIndex((row) => row.kind === "person" && row.person.userId === wanted);
  useEffect(() => {
    if (index >= 0) list.current?.scrollToIndex(index, { align: "center" });
  }, [index]);
  return (
    <VList ref={list} className="members-scroll" role="list">
      {rows.map((row, index) => (
        <div key={keyOf(row)} role="listitem" aria-setsize={rows.length} aria-posinset={index + 1}>
          {row.kind === "heading" ? (
            <h3 className="list-heading">{row.label}</h3>
          ) : (
            <MemberRow
              {...{ person: row.person, server }}
              isWanted={row.person.userId === wanted}
              isLookalike={lookalikes.has(row.person.userId)}
            />
          )}
        </div>
      ))}
    </VList>
  );
}

/** Who belongs to the room, and who of them is there. */
export function MembersPanel({ server, wanted }: { server: SavedServer; wanted: string | null }) {
  const { people, isStored, error, retry } = useMembers(server);
  if (people === undefined) return <Pending label={text.title} rows={6} />;
  const count = people.online.length + people.offline.length;
  const isEmpty = count === 0;
  const List = count > MANY ? LongList : PlainList;
  return (
    <>
      {error !== null && <Failed error={error} onRetry={retry} />}
      {isStored && !isEmpty && <p className="members-note quiet">{text.stored}</p>}
      <List people={people} server={server} wanted={wanted} />
    </>
  );
}
