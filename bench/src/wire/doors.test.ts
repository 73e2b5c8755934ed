import { describe, expect, it } from "@jest/globals";
import { plainDoor, socketIoDoor } from "./doors.ts";

const message = { type: "chat_message", serverId: "s" };

describe("doors", () => {
  it("writes and reads a message on either", () => {
    expect(plainDoor.encode(message)).toBe('{"type":"chat_message","serverId":"s"}');
    expect(socketIoDoor.encode(message)).toBe('42["chat_message",{"type":"chat_message","serverId":"s"}]');
    for (const door of [plainDoor, socketIoDoor]) expect(door.decode(door.encode(message))).toEqual(message);
  });

  it("knows what is no message", () => {
    expect(plainDoor.decode('"text"')).toBeUndefined();
    expect(plainDoor.decode('{"type":7}')).toBeUndefined();
    expect(socketIoDoor.decode('40{"sid":"x"}')).toBeUndefined();
    expect(socketIoDoor.decode('42["event"]')).toBeUndefined();
  });

  it("answers Engine.IO's heartbeat", () => {
    expect(socketIoDoor.heartbeat?.("2")).toBe("3");
    expect(socketIoDoor.heartbeat?.("40")).toBeUndefined();
  });
});
