import { useState } from "react";

export interface Submit {
  readonly isBusy: boolean;
  /** Why the last try failed; gone with the next one. */
  readonly error: unknown;
  readonly run: (work: () => Promise<void>) => void;
}

/** One thing at a time that a form does, with what went wrong kept beside it. */
export function useSubmit(): Submit {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const start = async (work: () => Promise<void>): Promise<void> => {
    setIsBusy(true);
    setError(null);
    try {
      await work();
    } catch (reason) {
      setError(reason);
    }
    setIsBusy(false);
  };
  return {
    isBusy,
    error,
    run: (work) => {
      if (!isBusy) void start(work);
    },
  };
}
