import { VList } from "virtua";
import type { Place } from "../../../client/places/places.ts";
import { format } from "../../format.ts";
import { strings } from "../../strings.ts";
import { Failed, Pending } from "../../ui/pending.tsx";
import { Seal } from "../../ui/seal.tsx";
import { named } from "../rail/badge-mark.tsx";
import type { PeopleHere, PersonHere } from "./member-groups.ts";
import { MemberMenu } from "./member-menu.tsx";
import { Presence } from "./presence.tsx";
import { useMembers } from "./use-members.ts";

const { members: text, statuses } = strings.shell;

/** Longer lists are not laid out whole. */
const MANY = 200;

function MemberRow({ person, place }: { person: PersonHere; place: Place }) {
  const { room } = place;
  const isOwn = person.userId === room.actorUserId;
  const role = person.role === "member" ? "" : text.roles[person.role];
  const status = statuses[person.status ?? "offline"];
  return (
    <div className="member" data-offline={person.status === null || undefined}>
      <span className="member-picture">
        <Seal id={person.userId} name={person.displayName} />
        <Presence status={person.status} />
      </span>
      <span className="member-names">
        <span className="member-name">
          {person.displayName}
          {isOwn && <span className="quiet"> ({text.you})</span>}
        </span>
        <span className="visually-hidden">, {named(status, role)}</span>
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

const rowsOf = ({ online, offline }: PeopleHere): readonly Row[] =>
  [
    { label: text.online(format.count(online.length)), people: online },
    { label: text.offline(format.count(offline.length)), people: offline },
  ].flatMap(({ label, people }): readonly Row[] =>
    people.length === 0
      ? []
      : [{ kind: "heading", label }, ...people.map((person): Row => ({ kind: "person", person }))],
  );

const keyOf = (row: Row): string => (row.kind === "heading" ? row.label : row.person.userId);

function PlainList({ people, place }: { people: PeopleHere; place: Place }) {
  const groups = [
    { label: text.online(format.count(people.online.length)), list: people.online },
    { label: text.offline(format.count(people.offline.length)), list: people.offline },
  ].filter(({ list }) => list.length > 0);
  return (
    <div className="members-scroll">
      {groups.map(({ label, list }) => (
        <section key={label} aria-label={label}>
          <h3 className="list-heading">{label}</h3>
          <ul>
            {list.map((person) => (
              <li key={person.userId}>
                <MemberRow person={person} place={place} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function LongList({ people, place }: { people: PeopleHere; place: Place }) {
  const rows = rowsOf(people);
  return (
    <VList className="members-scroll" role="list">
      {rows.map((row, index) => (
        <div key={keyOf(row)} role="listitem" aria-setsize={rows.length} aria-posinset={index + 1}>
          {row.kind === "heading" ? (
            <h3 className="list-heading">{row.label}</h3>
          ) : (
            <MemberRow person={row.person} place={place} />
          )}
        </div>
      ))}
    </VList>
  );
}

/** Who belongs to the room, and who of them is there. */
export function MembersPanel({ place }: { place: Place }) {
  const { people, isStored, error, retry } = useMembers(place);
  if (people === undefined) return <Pending label={text.title} rows={6} />;
  const count = people.online.length + people.offline.length;
  const isEmpty = count === 0;
  return (
    <>
      {error !== null && <Failed error={error} onRetry={retry} />}
      {isStored && !isEmpty && <p className="members-note quiet">{text.stored}</p>}
      {count > MANY ? (
        <LongList people={people} place={place} />
      ) : (
        <PlainList people={people} place={place} />
      )}
    </>
  );
}
