/** Kinds of traffic between clients; a fault may excuse the loss of some. */
export type Traffic = "chat" | "sync" | "voice" | "tuples";

type Kinds<Kind extends string, Fields> = Kind extends string ? { readonly kind: Kind } & Fields : never;

/** An event of a connection, which is named by its device and a number. */
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
  /** Any incoming message, before its content is read. */
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

/** An event of the product, or a fault. */
type OfServer =
  /** An authentication failure reported for this session; `null` when no valid token was presented. */
  | {
      readonly kind: "refused";
      readonly session: string | null;
      readonly code: string;
      readonly where: string;
    }
  /** The session was ended on purpose: acknowledged, or with an unknown outcome. */
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
  /** The loss of this traffic is excused from here until `whole`. */
  | { readonly kind: "fault"; readonly name: string; readonly disturbs: readonly Traffic[] }
  | Kinds<"returned" | "whole", { readonly name: string }>;

/** An observation or action of a client; `at` in ms of one clock. */
export type Entry = { readonly at: number } & (OfConnection | OfServer);
export type EntryKind = Entry["kind"];
export type EntryOf<Kind extends EntryKind> = Extract<Entry, { readonly kind: Kind }>;

/** An entry without its time. */
type Noted = OfConnection | OfServer;

/** All messages sent, acknowledged and received, in the order of observation. */
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
