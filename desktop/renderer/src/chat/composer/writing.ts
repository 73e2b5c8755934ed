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
  joinState: JoinState,
  server: { readonly authorization: Instance["authorization"]; readonly status: ConnectionStatus },
): MessageActions {
  if (joinState === "banned" || joinState === "gone" || joinState === "needs-invite")
    return { may: false, why: joinState };
  if (joinState === "needs-sign-in" || server.authorization === "needs-sign-in")
    return { may: false, why: "needs-sign-in" };
  if (joinState === "offline" || server.status === "waiting" || server.status === "ended")
    return { may: true, delayed: "offline" };
  return { may: true, delayed: joinState === "joined" ? null : "joining" };
}
