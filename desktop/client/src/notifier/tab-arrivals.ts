import { wireId } from "@hearth/contracts";
import { messageSchema } from "@hearth/device";
import { z } from "zod";
import type { NewMention } from "../chat/chat.ts";
import type { Platform } from "../ports.ts";

/** How long other tabs have to say that the user looks at them. */
const ANSWER_MS = 150;

const arrivalSchema = z.object({
  channel: z.object({ roomId: wireId, channelId: wireId.nullable() }),
  message: messageSchema,
  isMention: z.boolean(),
}) satisfies z.ZodType<NewMention>;

const wordSchema = z.discriminatedUnion("kind", [
  z.object({ topic: z.literal("notifier"), kind: z.literal("arrival"), arrival: arrivalSchema }),
  z.object({ topic: z.literal("notifier"), kind: z.literal("who-looks"), question: wireId }),
  z.object({ topic: z.literal("notifier"), kind: z.literal("looked-at"), question: wireId }),
]);

type Word =
  | { readonly topic: "notifier"; readonly kind: "arrival"; readonly arrival: NewMention }
  | { readonly topic: "notifier"; readonly kind: "who-looks" | "looked-at"; readonly question: string };

/** Messages between the tabs of one browser: a message may arrive in several of them, and one notifies. */
export interface TabArrivals {
  tell(arrival: NewMention): void;
  /** Whether the user looks at this tab or another one. */
  readonly isLookedAt: () => Promise<boolean>;
  readonly stop: () => void;
}

export function createTabArrivals(
  platform: Pick<Platform, "tabs" | "attention" | "later" | "newId">,
  onArrival: (arrival: NewMention) => void,
): TabArrivals {
  const { tabs, attention } = platform;
  const questions = new Map<string, () => void>();
  const post = (word: Word): void => tabs.post(word);
  const isAttended = (): boolean => attention.getState().isAttended;
  const leave = tabs.onMessage((message) => {
    const { success, data: word } = wordSchema.safeParse(message);
    if (!success) return;
    const { topic } = word;
    if (word.kind === "arrival") onArrival(word.arrival);
    else if (word.kind === "looked-at") questions.get(word.question)?.();
    else if (isAttended()) post({ topic, kind: "looked-at", question: word.question });
  });
  return {
    tell: (arrival) => post({ topic: "notifier", kind: "arrival", arrival }),
    isLookedAt: async () => {
      if (isAttended()) return true;
      const question = platform.newId();
      const answer = new Promise<boolean>((resolve) => {
        const cancel = platform.later(ANSWER_MS, () => resolve(false));
        questions.set(question, () => {
          cancel();
          resolve(true);
        });
      });
      post({ topic: "notifier", kind: "who-looks", question });
      const isAnswered = await answer;
      questions.delete(question);
      return isAnswered;
    },
    stop: leave,
  };
}
