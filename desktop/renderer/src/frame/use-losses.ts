import { useEffect, useState } from "react";
import type { ServerLost } from "@hearth/client";
import { useClient } from "../context/client-context.tsx";
import { strings } from "../strings/strings.ts";
import { useAnnouncer } from "../ui/announcer.tsx";
import type { Route } from "../navigation/routes.ts";
import { useShell } from "../context/shell-context.tsx";

/**
 * Tells why a place went away by itself. The one that is on screen is answered, to be told where it was until somebody
 * goes elsewhere; of any other a moment is enough.
 */
export function useLosses(route: Route): ServerLost | null {
  const { servers } = useClient();
  const { tell } = useShell();
  const { say } = useAnnouncer();
  const [lost, setLost] = useState<ServerLost | null>(null);
  const shownId = route.area === "room" ? route.roomId : null;
  useEffect(
    () =>
      servers.onLost((it) => {
        const sentence = strings.shell.lost[it.reason](it.name);
        if (it.roomId !== shownId) return tell(sentence);
        setLost(it);
        say(sentence);
      }),
    [servers, tell, say, shownId],
  );
  useEffect(() => () => setLost(null), [shownId]);
  return lost;
}
