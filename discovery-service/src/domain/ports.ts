import type { Clock } from "@hearth/runtime";
import type { Announce } from "./announcements.ts";
import type { Endings } from "./endings.ts";
import type { Presentation } from "./presentation.ts";
import type { Quotas } from "./quotas.ts";
import type { Store } from "./store.ts";

/** Who acts, by the names that others see. */
export interface Person {
  readonly userId: string;
  readonly username: string | null;
  readonly displayName: string;
}

/** What the rules need from outside. */
export interface Ports {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly announce: Announce;
  readonly endings: Pick<Endings, "announce">;
  readonly presentation: Presentation;
  readonly quotas: Quotas;
  /** Has this replica's own searches see a write at once; the others hear of it over the bus. */
  readonly written: (serverId: string) => void;
}
