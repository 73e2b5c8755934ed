import { describe, expect, it } from "@jest/globals";
import { createReassembly, inFrames, jsonBytes } from "./chunks.ts";
import { fc } from "@hearth/device/testing";

const large = (size: number, filler = "a") => ({
  type: "user-avatar-full",
  avatar: { data: filler.repeat(size) },
  card: { text: '"\\\n\u{1F331}' },
});

let count = 0;
const newId = (): string => `transfer-${(count += 1)}`;

describe("payloads larger than a frame", () => {
  it("are sent unchanged if they fit or cannot be split", () => {
    const small = large(10);
    expect(inFrames(small, newId)).toEqual([small]);
    const other = { ...large(2_000_000), type: "saved-room-sync" };
    expect(inFrames(other, newId)).toEqual([other]);
  });

  it.each([
    ["a", 1_100_000],
    ['"', 600_000],
    ["\u{1F331}", 300_000],
    ["\u0001", 200_000],
    ["\uD83C", 200_000],
  ])("are split into chunks that fit, for %j", (filler, size) => {
    const chunks = inFrames(large(size, filler), newId);
    expect(chunks.length).toBeGreaterThan(1);
    for (const chunk of chunks) expect(jsonBytes(chunk)).toBeLessThan(1024 * 1024 - 2_048);
  });

  it("are reassembled in any order and with repetitions", () => {
    const payload = large(300_000, '"\u{1F331}');
    const chunks = inFrames(payload, newId);
    const order = fc.shuffledSubarray([...chunks, ...chunks], { minLength: chunks.length * 2 });
    fc.assert(
      fc.property(order, (arriving) => {
        const reassembly = createReassembly(() => 0);
        const assembled = arriving
          .map((chunk) => reassembly.add("phone", chunk))
          .filter((one) => one !== null);
        expect(assembled[0]).toEqual(payload);
      }),
      { numRuns: 5 },
    );
  });

  it("are not mixed between transfers and senders", () => {
    const [one, other] = [inFrames(large(1_100_000, "a"), newId), inFrames(large(1_100_000, "b"), newId)];
    const reassembly = createReassembly(() => 0);
    for (const chunk of one.slice(1)) expect(reassembly.add("phone", chunk)).toBeNull();
    for (const chunk of other.slice(1)) expect(reassembly.add("phone", chunk)).toBeNull();
    expect(reassembly.add("tablet", one[0])).toBeNull();
    expect(reassembly.add("phone", other[0])).toEqual(large(1_100_000, "b"));
    expect(reassembly.add("phone", one[0])).toEqual(large(1_100_000, "a"));
  });

  it("are dropped if they stay incomplete for a minute", () => {
    let now = 0;
    const reassembly = createReassembly(() => now);
    const [first, ...rest] = inFrames(large(1_100_000), newId);
    reassembly.add("phone", first);
    now = 61_000;
    reassembly.add("phone", inFrames(large(1_100_000), newId)[0]);
    expect(reassembly.unfinished).toBe(1);
    expect(rest.map((chunk) => reassembly.add("phone", chunk))).toEqual(rest.map(() => null));
  });

  it("take limited memory", () => {
    const reassembly = createReassembly(() => 0);
    for (let n = 0; n < 100; n += 1) reassembly.add("phone", inFrames(large(1_100_000), newId)[0]);
    expect(reassembly.unfinished).toBeLessThanOrEqual(8);
  });

  const chunk = { type: "user-avatar-chunk", transferId: "t", index: 0, total: 1, data: "" };
  const named = (type: string): string => JSON.stringify({ type });
  it.each([
    ["no chunk", {}],
    ["an index beyond the total", { ...chunk, index: 1 }],
    ["a negative index", { ...chunk, index: -1 }],
    ["too many chunks", { ...chunk, total: 1_000_000 }],
    ["no JSON", { ...chunk, data: "{" }],
    ["no payload", { ...chunk, data: "null" }],
    ["a payload of another type", { ...chunk, data: named("saved-room-remove") }],
    ["chunks in chunks", { ...chunk, data: named("user-avatar-chunk") }],
  ])("are dropped if they are %s", (_, nonsense) => {
    expect(createReassembly(() => 0).add("phone", nonsense)).toBeNull();
  });
});
