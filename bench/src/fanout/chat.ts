import type { Message } from "../wire/doors.ts";

export const MESSAGE_BYTES = 150;
const ID_DIGITS = 8;

/** A chat message whose JSON has the same 150 bytes for every number. */
export function chatMessage(serverId: string, number: number): Message {
  const id = String(number).padStart(ID_DIGITS, "0");
  const message = (content: string): Message => ({
    type: "chat_message",
    serverId,
    message: { id, content },
  });
  const around = JSON.stringify(message("")).length;
  return message("x".repeat(Math.max(1, MESSAGE_BYTES - around)));
}
