import { QueryClient } from "@tanstack/react-query";
import { ClientProblem } from "@hearth/device";

const isWorthRetrying = (count: number, error: Error): boolean =>
  count < 2 && error instanceof ClientProblem && (error.retryable || error.code === "NO_ANSWER");

/** What screens ask a signaling server for; a refusal is shown at once, trouble that may pass is tried again first. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: isWorthRetrying, staleTime: 10_000, networkMode: "always" },
      // Nothing of what was typed, such as a password, is kept once it is done.
      mutations: { retry: false, networkMode: "always", gcTime: 0 },
    },
  });
