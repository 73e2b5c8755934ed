import { useCallback } from "react";
import { problemSentence } from "../strings/problem-sentence.ts";
import { useShell } from "./shell-context.tsx";

/** Does something that has no place of its own for a refusal; tells how it went. */
export function useAct(): (work: () => Promise<unknown>, done?: string) => void {
  const { tell } = useShell();
  return useCallback(
    (work, done) => {
      const run = async (): Promise<void> => {
        try {
          await work();
          if (done !== undefined) tell(done);
        } catch (error) {
          tell(problemSentence(error));
        }
      };
      void run();
    },
    [tell],
  );
}
