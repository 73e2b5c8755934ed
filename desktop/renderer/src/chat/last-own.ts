import type { TimelineMessage } from "@hearth/client";
import { rightsOver } from "./messages/message-rights.ts";

/** The newest message of this account that can be edited; nothing where it is not loaded. */
export const lastOwn = (messages: readonly TimelineMessage[], ownId: string): TimelineMessage | null =>
  messages.findLast((message) => message.senderId === ownId && rightsOver(message, ownId, "member").edit) ??
  null;
