import { describe, expect, it } from "@jest/globals";
import { createFrame } from "./frame.ts";
import { controlFrame, OPCODE, textFrame } from "./wire-frame.ts";

describe("frames", () => {
  it.each([
    [0, "8100"],
    [1, "8101"],
    [125, "817d"],
    [126, "817e007e"],
    [127, "817e007f"],
    [65_535, "817effff"],
    [65_536, "817f0000000000010000"],
    [1_048_576, "817f0000000000100000"],
  ])("declares the length of a text of %i bytes", (size, head) => {
    const text = "x".repeat(size);
    expect(textFrame(text).equals(Buffer.concat([Buffer.from(head, "hex"), Buffer.from(text)]))).toBe(true);
  });

  it("counts bytes, not characters", () => {
    const text = "ü€😀".repeat(40);
    const head = Buffer.from("817e0168", "hex");
    expect(textFrame(text).equals(Buffer.concat([head, Buffer.from(text)]))).toBe(true);
  });

  it("writes the bytes of RFC 6455", () => {
    expect(textFrame("Hello")).toEqual(Buffer.from([0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]));
    expect(controlFrame(OPCODE.pong, Buffer.from("Hello"))).toEqual(
      Buffer.from([0x8a, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]),
    );
  });

  it("WS1 contains the JSON on one door, and an event named by the type on the other", () => {
    const frame = createFrame({ type: "chat_message", text: 'a "quoted" text' });
    const json = '{"type":"chat_message","text":"a \\"quoted\\" text"}';
    expect(frame.plain.toString("latin1")).toBe(`\x81${String.fromCharCode(json.length)}${json}`);
    const event = `42["chat_message",${json}]`;
    expect(frame.socketio.toString("latin1")).toBe(`\x81${String.fromCharCode(event.length)}${event}`);
  });

  it("serialises a message once, and only when it is needed", () => {
    let times = 0;
    const frame = createFrame({ type: "pong", toJSON: () => ({ type: "pong", times: (times += 1) }) });
    expect(times).toBe(0);
    expect(frame.plain).toBe(frame.plain);
    expect(frame.socketio).toBe(frame.socketio);
    expect(times).toBe(1);
  });

  it("is ephemeral only if that is set", () => {
    expect(createFrame({ type: "pong" }).ephemeral).toBe(false);
    expect(createFrame({ type: "user_typing" }, { ephemeral: true }).ephemeral).toBe(true);
  });
});
