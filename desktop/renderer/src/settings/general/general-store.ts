import type { HearthBridge, SecretLevel } from "@hearth/bridge";
import { createQuestion } from "../../state/answer.ts";
import type { Question } from "../../state/answer.ts";
import { createSource } from "../../state/observable.ts";
import type { Observable } from "../../state/observable.ts";
import { answerWithin } from "../../state/time-limit.ts";
import type { Later } from "../../state/time-limit.ts";

/** How the last change of the automatic start went; `refused` when the operating system did not take it over. */
export type AutoStartChange = "idle" | "busy" | "refused" | "no-answer";

export interface GeneralStore {
  readonly autoStart: Question<boolean>;
  readonly autoStartChange: Observable<AutoStartChange>;
  readonly setAutoStart: (enabled: boolean) => Promise<void>;
  readonly secretLevel: Question<SecretLevel>;
  readonly load: () => Promise<void>;
}

export function createGeneralStore(bridge: HearthBridge, wait: Later): GeneralStore {
  const autoStart = createQuestion(() => bridge.autoStart.get(), wait);
  const secretLevel = createQuestion(() => bridge.secrets.level(), wait);
  const change = createSource<AutoStartChange>("idle");
  return {
    autoStart,
    secretLevel,
    autoStartChange: change,
    async setAutoStart(enabled) {
      if (change.get() === "busy") return;
      change.set("busy");
      try {
        const isEnabled = await answerWithin(() => bridge.autoStart.set(enabled), wait);
        autoStart.know(isEnabled);
        change.set(isEnabled === enabled ? "idle" : "refused");
      } catch {
        change.set("no-answer");
      }
    },
    async load() {
      await Promise.all([autoStart.ask(), secretLevel.ask()]);
    },
  };
}
