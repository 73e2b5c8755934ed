import { describe, expect, it } from "@jest/globals";
import { CLIENT_MESSAGES } from "@hearth/contracts";
import { chatMessage } from "./chat.ts";

describe("the message that is fanned out", () => {
  const serverId = "0198c3a2-5e90-7b11-a3c4-9d8e7f6a5b10";

  it.each([0, 7, 12_345_678])("has 150 bytes, whatever its number (%d)", (number) => {
    expect(JSON.stringify(chatMessage(serverId, number))).toHaveLength(150);
  });

  it("is one that the protocol accepts", () => {
    expect(CLIENT_MESSAGES.chat_message.safeParse(chatMessage(serverId, 1)).success).toBe(true);
  });
});
