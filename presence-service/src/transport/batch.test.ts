import { describe, expect, it } from "@jest/globals";
import { Batch } from "./batch.ts";
import { createFrame, type Frame } from "./frame.ts";

const frames = (count: number): Frame[] =>
  Array.from({ length: count }, (_, number) => createFrame({ type: "pong", number }));

const batchOf = (empty: Batch, list: readonly Frame[]): Batch =>
  list.reduce((batch, frame) => batch.append(frame), empty);

const bytesOf = (list: readonly Frame[]): Buffer => Buffer.concat(list.map(({ plain }) => plain));

describe("a batch", () => {
  it("is shared by all connections with the same frames, and joined once", () => {
    const empty = Batch.empty("plain");
    const list = frames(16);
    const one = batchOf(empty, list);
    const other = batchOf(empty, list);
    expect(other).toBe(one);
    expect(one.join().equals(bytesOf(list))).toBe(true);
    expect(other.join()).toBe(one.join());
  });

  it("differs for different frames, in whichever order they are sent", () => {
    const empty = Batch.empty("plain");
    const [a, b, c] = frames(3) as [Frame, Frame, Frame];
    const first = batchOf(empty, [a, b]);
    const second = batchOf(empty, [a, c]);
    const third = batchOf(empty, [b, a]);
    expect(first.join().equals(bytesOf([a, b]))).toBe(true);
    expect(second.join().equals(bytesOf([a, c]))).toBe(true);
    expect(third.join().equals(bytesOf([b, a]))).toBe(true);
  });

  it("returns a single frame without a copy", () => {
    const [frame] = frames(1) as [Frame];
    expect(Batch.empty("plain").append(frame).join()).toBe(frame.plain);
    expect(Batch.empty("socketio").append(frame).join()).toBe(frame.socketio);
  });
});
