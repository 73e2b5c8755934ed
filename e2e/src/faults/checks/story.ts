import { type Entry, type EntryOf, entriesOf, type Traffic } from "../ledger.ts";

/** A period of time, from `from` to `until`. */
export interface Stretch {
  readonly from: number;
  readonly until: number;
}

/** The entries of one connection. */
export interface Life extends Stretch {
  readonly connection: string;
  readonly user: string;
  readonly device: string;
  readonly session: string;
  readonly identifiedAt: number;
  readonly closeCode: number | null;
  readonly rooms: ReadonlyMap<string, Stretch>;
}

/** A ledger sorted by connections, with the times of disturbance. */
export interface Story {
  readonly entries: readonly Entry[];
  readonly lives: ReadonlyMap<string, Life>;
  readonly sent: ReadonlyMap<string, EntryOf<"sent">>;
  readonly acknowledgedAt: ReadonlyMap<string, number>;
  /** Whether the loss of this traffic is excused at some time of the period. */
  readonly disturbed: (traffic: Traffic, stretch: Stretch) => boolean;
  /** Whether there was any fault in the period. */
  readonly faulty: (from: number, until: number) => boolean;
}

const overlap = (one: Stretch, other: Stretch): boolean => one.from <= other.until && other.from <= one.until;

const livesOf = (entries: readonly Entry[]): Map<string, Life> => {
  const lives = new Map<string, Life & { readonly rooms: Map<string, Stretch> }>();
  for (const entry of entries) {
    if (entry.kind === "opened") {
      const { connection, user, device, session, at } = entry;
      const start = {
        from: at,
        until: Infinity,
        identifiedAt: Infinity,
        closeCode: null,
        rooms: new Map<string, Stretch>(),
      };
      lives.set(connection, { connection, user, device, session, ...start });
    }
    const life = "connection" in entry ? lives.get(entry.connection) : undefined;
    if (!life) continue;
    if (entry.kind === "identified") lives.set(life.connection, { ...life, identifiedAt: entry.at });
    if (entry.kind === "joined") life.rooms.set(entry.room, { from: entry.at, until: Infinity });
    if (entry.kind === "left") {
      const from = life.rooms.get(entry.room)?.from ?? entry.at;
      life.rooms.set(entry.room, { from, until: entry.at });
    }
    if (entry.kind === "closed")
      lives.set(life.connection, { ...life, until: entry.at, closeCode: entry.code });
  }
  return lives;
};

export const storyOf = (entries: readonly Entry[]): Story => {
  const faults = entriesOf(entries, "fault").map(({ name, at, disturbs }) => {
    const end = entriesOf(entries, "whole").find((whole) => whole.name === name && whole.at >= at);
    return { from: at, until: end?.at ?? Infinity, disturbs };
  });
  return {
    entries,
    lives: livesOf(entries),
    sent: new Map(entriesOf(entries, "sent").map((entry) => [entry.id, entry])),
    acknowledgedAt: new Map(entriesOf(entries, "acknowledged").map(({ id, at }) => [id, at])),
    faulty: (from, until) => faults.some((fault) => overlap(fault, { from, until })),
    disturbed: (traffic, stretch) =>
      faults.some((fault) => fault.disturbs.includes(traffic) && overlap(fault, stretch)),
  };
};
