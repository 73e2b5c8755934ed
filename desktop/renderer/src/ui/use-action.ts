import { useMutation } from "@tanstack/react-query";
import { problemSentence } from "../strings/problem-sentence.ts";
import { useAnnouncer } from "./announcer.tsx";

/** Something that is done on a click: at work, or why it failed the last time. */
export interface Action {
  readonly busy: boolean;
  /** Gone with the next try. */
  readonly error: Error | null;
  /** The error as a sentence. */
  readonly problem: string | undefined;
  /** Resolves to whether it was done; `done` is then said to those who listen. */
  readonly run: (work: () => Promise<unknown>, done?: string) => Promise<boolean>;
}

export function useAction(): Action {
  const { say } = useAnnouncer();
  const { isPending, error, mutateAsync } = useMutation({ mutationFn: (work: Promise<unknown>) => work });
  return {
    busy: isPending,
    error,
    problem: error === null ? undefined : problemSentence(error),
    async run(work, done) {
      try {
        // The work begins at once; a mutation would begin it later, and signing out looks at once whether it is done.
        await mutateAsync(work());
      } catch {
        return false;
      }
      if (done !== undefined) say(done);
      return true;
    },
  };
}
