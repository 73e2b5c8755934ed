import { displayName as validName } from "@hearth/contracts";
import type { Connections } from "../connection/connection.ts";
import type { Accounts } from "./accounts.ts";

/** Follows the display name that each instance reports, when a connection begins and when it changes. */
export const followNames = (
  accounts: Pick<Accounts, "actorId" | "noteDisplayName">,
  connections: Pick<Connections, "on">,
): (() => void) =>
  connections.on((url, message) => {
    if (message.type !== "identified" && message.type !== "user_updated") return;
    const { oderId, displayName } = message;
    if (oderId === accounts.actorId(url) && validName.safeParse(displayName).success)
      accounts.noteDisplayName(url, displayName);
  });
