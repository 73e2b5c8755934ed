import { useState } from "react";
import { useAnnouncer } from "../ui/announcer.tsx";
import { problemSentence } from "../strings/problem-sentence.ts";

/** Something that is done on a click: at work, or why it failed the last time. */
export interface Action {
  readonly busy: boolean;
  readonly problem: string | undefined;
  /** Resolves to whether it was done; `done` is then said to those who listen. */
  readonly run: (work: () => Promise<unknown>, done?: string) => Promise<boolean>;
}

export function useAction(): Action {
  const announcer = useAnnouncer();
  const [state, setState] = useState<{ busy: boolean; problem: string | undefined }>({
    busy: false,
    problem: undefined,
  });
  return {
    ...state,
    async run(work, done) {
      setState({ busy: true, problem: undefined });
      try {
        await work();
      } catch (error) {
        setState({ busy: false, problem: problemSentence(error) });
        return false;
      }
      setState({ busy: false, problem: undefined });
      if (done !== undefined) announcer.say(done);
      return true;
    },
  };
}
