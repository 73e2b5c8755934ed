import { createSource } from "./observable.ts";
import type { Observable } from "./observable.ts";

/** A sentence for screen readers; the number tells a repeated sentence from the one before it. */
export interface Announcement {
  readonly text: string;
  readonly number: number;
}

export interface Announcer extends Observable<Announcement> {
  readonly say: (text: string) => void;
}

export function createAnnouncer(): Announcer {
  const source = createSource<Announcement>({ text: "", number: 0 });
  return {
    get: source.get,
    subscribe: source.subscribe,
    say: (text) => source.set({ text, number: source.get().number + 1 }),
  };
}
