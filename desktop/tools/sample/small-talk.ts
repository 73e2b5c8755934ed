import { blocksOf, hoursOf } from "./script.ts";
import type { Hours } from "./script.ts";

/** A remark and its possible answers. */
export interface Remark {
  readonly channel: string;
  /** `*` is anybody. */
  readonly speaker: string;
  readonly hours: Hours | null;
  readonly text: string;
  readonly answers: readonly string[];
}

/**
 * Reads the format of `material/smalltalk.ts`: lines `speaker text` or `speaker@5-8 text` (at these hours), followed
 * by answers, `- text`.
 */
export function readSmallTalk(script: string): readonly Remark[] {
  return blocksOf(script).flatMap((block) => {
    const [channel = "", ...lines] = block.trim().split("\n");
    const remarks: (Omit<Remark, "answers"> & { readonly answers: string[] })[] = [];
    for (const line of lines) {
      const [, speaker = "", hours, text = ""] = /^([^\s@]+)(?:@(\d+-\d+))? (.+)$/.exec(line) ?? [];
      if (speaker === "-") remarks.at(-1)?.answers.push(text);
      else remarks.push({ channel, speaker, hours: hoursOf(hours), text, answers: [] });
    }
    return remarks;
  });
}
