/** What passes between clients; a fault may excuse the loss of some of it. */
export type Traffic = "chat" | "sync" | "voice" | "tuples";

type Kinds<Kind extends string, Fields> = Kind extends string ? { readonly kind: Kind } & Fields : never;

/** Something that happened to a connection; its name is the device's with a number. */
type OfConnection = { readonly connection: string } & (
  | {
      readonly kind: "opened";
      readonly user: string;
      readonly device: string;
      readonly session: string;
    }
  | { readonly kind: "identified" }
  | Kinds<"joined" | "left", { readonly room: string }>
  | { readonly kind: "closed"; readonly code: number }
  /** Any message that came, before its content was looked at. */
  | { readonly kind: "heard"; readonly type: string }
  | {
      readonly kind: "sent";
      readonly id: string;
      readonly traffic: "chat" | "sync";
      readonly room: string | null;
      readonly content: string;
    }
  | { readonly kind: "acknowledged"; readonly id: string }
  | {
      readonly kind: "received";
      readonly id: string;
      readonly traffic: "chat" | "sync";
      readonly from: unknown;
      readonly content: string;
    }
  | { readonly kind: "voice"; readonly owner: string | null; readonly fence: number }
);

/** Something that happened to the product or was done to it. */
type OfServer =
  /** An authentication failure that somebody with this session was told; `null` where nothing valid was presented. */
  | {
      readonly kind: "refused";
      readonly session: string | null;
      readonly code: string;
      readonly where: string;
    }
  /** The session was ended on purpose: its end has been answered, or it is not known whether it has ended. */
  | Kinds<"ended" | "doubtful", { readonly session: string }>
  | {
      readonly kind: "answered";
      readonly request: string;
      /** 0 where the connection failed. */
      readonly status: number;
      readonly code: string;
      readonly session: string | null;
      readonly tookMs: number;
    }
  | Kinds<"accepted" | "kept" | "lost", { readonly mutation: string }>
  | { readonly kind: "exited"; readonly process: string; readonly outcome: string; readonly asked: boolean }
  | { readonly kind: "leaked"; readonly where: string; readonly what: string }
  | {
      readonly kind: "occupants";
      readonly room: string;
      readonly users: readonly string[];
      readonly expected: readonly string[];
    }
  /** From here until `whole` the loss of this traffic is excused. */
  | { readonly kind: "fault"; readonly name: string; readonly disturbs: readonly Traffic[] }
  | Kinds<"returned" | "whole", { readonly name: string }>;

/** What a client outside saw or did; `at` in ms of one clock. */
export type Entry = { readonly at: number } & (OfConnection | OfServer);
export type EntryKind = Entry["kind"];
export type EntryOf<Kind extends EntryKind> = Extract<Entry, { readonly kind: Kind }>;

/** An entry without its time. */
type Noted = OfConnection | OfServer;

/** Everything sent, acknowledged and received, in the order in which it was seen. */
export class Ledger {
  readonly entries: Entry[] = [];
  private readonly now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  note(entry: Noted): void {
    this.entries.push({ at: this.now(), ...entry });
  }
}

export const entriesOf = <Kind extends EntryKind>(
  entries: readonly Entry[],
  kind: Kind,
): readonly EntryOf<Kind>[] => entries.filter((entry): entry is EntryOf<Kind> => entry.kind === kind);
