import { describe, expect, it } from "@jest/globals";
import type { Channel } from "@hearth/contracts";
import { arrangeChannels, initialChannels } from "./channels.ts";

const counter = () => {
  let next = 0;
  return () => `new-${(next += 1)}`;
};

const present: Channel[] = [
  { id: "a", name: "general", kind: "text", position: 0 },
  { id: "b", name: "Lounge", kind: "voice", position: 1 },
];

describe("channels", () => {
  it("DI1 of a new server are a text and a voice channel when none are named", () => {
    expect(initialChannels(undefined, counter())).toEqual([
      { id: "new-1", name: "general", kind: "text", position: 0 },
      { id: "new-2", name: "Lounge", kind: "voice", position: 1 },
    ]);
  });

  it("DI1 keep their id, take the position of their order, and are deleted by being left out", () => {
    const inputs = [
      { id: "B", name: "Den", kind: "voice" },
      { name: "news", kind: "text" },
    ] as const;
    expect(arrangeChannels(inputs, present, counter())).toEqual([
      { id: "b", name: "Den", kind: "voice", position: 0 },
      { id: "new-1", name: "news", kind: "text", position: 1 },
    ]);
  });

  it("DI1 keep their kind where none is named, and are for text when new", () => {
    expect(arrangeChannels([{ id: "b", name: "Den" }, { name: "news" }], present, counter())).toEqual([
      { id: "b", name: "Den", kind: "voice", position: 0 },
      { id: "new-1", name: "news", kind: "text", position: 1 },
    ]);
  });

  it.each([
    ["an id of no channel here", [{ id: "z", name: "x", kind: "text" }], 0],
    [
      "an id twice",
      [
        { id: "a", name: "x", kind: "text" },
        { id: "A", name: "y", kind: "text" },
      ],
      1,
    ],
  ] as const)("DI1 refuse %s", (_what, inputs, index) => {
    const error = expect.objectContaining({
      code: "CONFLICT",
      extras: { errors: [expect.objectContaining({ path: `channels.${index}.id` })] },
    }) as unknown;
    let thrown: unknown;
    try {
      arrangeChannels(inputs, present, counter());
    } catch (refusal) {
      thrown = refusal;
    }
    expect(thrown).toEqual(error);
  });

  it("DI1 of a new server cannot bring an id along", () => {
    expect(() => initialChannels([{ id: "a", name: "x", kind: "text" }], counter())).toThrow();
  });
});
