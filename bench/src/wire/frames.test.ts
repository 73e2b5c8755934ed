import { describe, expect, it } from "@jest/globals";
import { clientFrame, FrameReader, OPCODE, serverFrame } from "./frames.ts";

const unmask = (frame: Buffer, start: number): string => {
  const mask = frame.subarray(start, start + 4);
  return Buffer.from(frame.subarray(start + 4).map((byte, at) => byte ^ (mask[at & 3] ?? 0))).toString();
};

describe("frames", () => {
  it("masks what a client sends, short and long", () => {
    const short = clientFrame("hello");
    expect([...short.subarray(0, 2)]).toEqual([0x81, 0x85]);
    expect(unmask(short, 2)).toBe("hello");
    const long = clientFrame("x".repeat(150));
    expect([...long.subarray(0, 4)]).toEqual([0x81, 0xfe, 0, 150]);
    expect(unmask(long, 4)).toBe("x".repeat(150));
  });

  it("leaves the payload it was given as it was", () => {
    const payload = Buffer.from("ping");
    clientFrame(payload, OPCODE.pong);
    expect(payload.toString()).toBe("ping");
  });

  it.each([0, 1, 125, 126, 65_535, 65_536])("reads a server's frame of %d bytes", (length) => {
    const payload = Buffer.alloc(length, 0x61);
    const frames = new FrameReader().push(serverFrame(payload));
    expect(frames).toEqual([{ opcode: OPCODE.text, payload }]);
  });

  it("reads frames however they are cut", () => {
    const reader = new FrameReader();
    const stream = Buffer.concat([serverFrame(Buffer.from("one")), serverFrame(Buffer.alloc(300, 0x62))]);
    const frames = [...stream].flatMap((byte) => reader.push(Buffer.from([byte])));
    expect(frames.map(({ payload }) => payload.length)).toEqual([3, 300]);
    expect(
      reader.push(Buffer.concat([serverFrame(Buffer.from("a")), serverFrame(Buffer.from("b"))])),
    ).toHaveLength(2);
  });
});
