import type { Instance } from "@hearth/client";
import type { ConnectionStatus } from "@hearth/client";
import type { JoinState } from "@hearth/client";

/** Why nothing can be written here. */
export type WritingObstacle = "needs-sign-in" | "needs-invite" | "banned" | "gone";

export type MessageActions =
  | { readonly may: false; readonly why: WritingObstacle }
  /** Told where it will not go out at once. */
  | { readonly may: true; readonly delayed: "offline" | "joining" | null };

/** Whether somebody can write in a place: also while it is out of reach, but not where it would never be sent. */
export function writingIn(
  standing: JoinState,
  server: { readonly authorization: Instance["authorization"]; readonly status: ConnectionStatus },
): MessageActions {
  if (standing === "banned" || standing === "gone" || standing === "needs-invite")
    return { may: false, why: standing };
  if (standing === "needs-sign-in" || server.authorization === "needs-sign-in")
    return { may: false, why: "needs-sign-in" };
  if (standing === "offline" || server.status === "waiting" || server.status === "ended")
    return { may: true, delayed: "offline" };
  return { may: true, delayed: standing === "joined" ? null : "joining" };
}
