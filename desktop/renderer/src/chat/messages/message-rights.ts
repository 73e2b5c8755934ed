import type { TimelineMessage } from "@hearth/client";
import type { DeviceRoom } from "@hearth/device";

export interface MessageRights {
  /** Reply and react. */
  readonly answer: boolean;
  readonly copy: boolean;
  readonly edit: boolean;
  readonly remove: boolean;
  /** It did not go out: try again, or forget it. */
  readonly resend: boolean;
}

/** What an account may do with a message: its author edits it, its author and the moderators remove it. */
export function rightsOver(
  { senderId, delivery, deletedAt }: Pick<TimelineMessage, "senderId" | "delivery" | "deletedAt">,
  ownId: string,
  role: DeviceRoom["role"],
): MessageRights {
  const isThere = deletedAt === null;
  const isOut = isThere && delivery === "sent";
  const isOwn = senderId === ownId;
  return {
    answer: isOut,
    copy: isThere,
    edit: isOut && isOwn,
    remove: isOut && (isOwn || role !== "member"),
    resend: isThere && delivery === "failed",
  };
}
