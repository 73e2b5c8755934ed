import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useClient } from "./client-context.tsx";
import { strings } from "../strings/strings.ts";
import { clientName } from "./sessions.ts";

const KEY = ["opened-sessions"] as const;
const NONE: readonly string[] = [];

/** AB11: other devices that signed in to the account at home while this page was open, by their session's id. */
export function useOpenedSessions(): readonly string[] {
  const { data } = useQuery({ queryKey: KEY, queryFn: () => NONE, staleTime: Infinity, gcTime: Infinity });
  return data ?? NONE;
}

/** AB11: follows what the home instance tells of new sessions. */
export function useSessionNotices(onOpened: (device: string) => void): void {
  const { accounts, connections } = useClient();
  const queries = useQueryClient();
  useEffect(
    () =>
      connections.on((url, message) => {
        if (message.type !== "session_opened" || url !== accounts.state.getState().homeUrl) return;
        const { sessionId, deviceName, userAgent } = message;
        const known = queries.getQueryData<readonly string[]>(KEY) ?? NONE;
        if (known.includes(sessionId)) return;
        queries.setQueryData(KEY, [...known, sessionId]);
        void queries.invalidateQueries({ queryKey: ["sessions"] });
        onOpened(deviceName ?? clientName(userAgent) ?? strings.account.devices.unknown);
      }),
    [accounts, connections, queries, onOpened],
  );
}
