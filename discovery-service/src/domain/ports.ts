import type { Clock } from "@hearth/runtime";
import type { Announce } from "./announcements.ts";
import type { Endings } from "./endings.ts";
import type { Presentation } from "./presentation.ts";
import type { Quotas } from "./quotas.ts";
import type { Store } from "./store.ts";

/** A user who acts, with the names that others see. */
export interface Person {
  readonly userId: string;
  readonly username: string | null;
  readonly displayName: string;
}

/** The dependencies that all rules share. */
export interface Ports {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly announce: Announce;
  readonly endings: Pick<Endings, "announce">;
  readonly presentation: Presentation;
  readonly quotas: Quotas;
  /** Called after a write to a server. This replica's search sees it at once; the others learn of it over the bus. */
  readonly onServerWritten: (serverId: string) => void;
}
