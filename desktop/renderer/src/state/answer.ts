import { createSource } from "./observable.ts";
import type { Observable } from "./observable.ts";
import { answerWithin } from "./time-limit.ts";
import type { Later } from "./time-limit.ts";

/** What is known of something that the app was asked. */
export type Answer<T> =
  | { readonly phase: "asking" }
  | { readonly phase: "unanswered" }
  | { readonly phase: "known"; readonly value: T };

export interface Question<T> extends Observable<Answer<T>> {
  readonly ask: () => Promise<void>;
  readonly know: (value: T) => void;
}

export function createQuestion<T>(ask: () => Promise<T>, wait: Later): Question<T> {
  const source = createSource<Answer<T>>({ phase: "asking" });
  const know = (value: T): void => source.set({ phase: "known", value });
  return {
    get: source.get,
    subscribe: source.subscribe,
    know,
    async ask() {
      source.set({ phase: "asking" });
      try {
        know(await answerWithin(ask, wait));
      } catch {
        source.set({ phase: "unanswered" });
      }
    },
  };
}
