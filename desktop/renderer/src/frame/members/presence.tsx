import type { UserStatus } from "@hearth/contracts";
import "./presence.css";

/** Whether somebody is there, by colour and by shape; the word stands elsewhere. */
export function Presence({ status }: { status: UserStatus | null }) {
  return <span className="presence" data-status={status ?? "offline"} aria-hidden="true" />;
}
