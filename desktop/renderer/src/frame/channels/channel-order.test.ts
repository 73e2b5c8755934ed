import { describe, expect, it } from "@jest/globals";
import { channelKey } from "@hearth/client";
import { channelsOf, entranceOf, neighbourOf } from "./channel-order.ts";

const channel = (id: string, position: number, kind: "text" | "voice" = "text") => ({
  id,
  name: id,
  kind,
  position,
});
const room = { id: "r", channels: [channel("c", 2), channel("v", 1, "voice"), channel("a", 0)] };
const at = (channelId: string) => ({ roomId: "r", channelId });

describe("the channels of a room", () => {
  it("come in their order, those for text and those for voice apart", () => {
    expect(channelsOf(room, "text").map(({ id }) => id)).toEqual(["a", "c"]);
    expect(channelsOf(room, "voice").map(({ id }) => id)).toEqual(["v"]);
  });

  it("are entered where somebody was last, else at the first", () => {
    expect(entranceOf(room, [at("c"), at("a")])).toBe("c");
    expect(entranceOf(room, [at("gone"), { roomId: "other", channelId: "c" }])).toBe("a");
    expect(entranceOf({ id: "r", channels: [channel("v", 0, "voice")] }, [])).toBeNull();
  });
});

describe("the neighbour of a channel", () => {
  const channels = ["a", "b", "c", "d"].map(at);

  it("is the next one in either direction, around the ends", () => {
    expect(neighbourOf(channels, at("b"), 1)).toEqual(at("c"));
    expect(neighbourOf(channels, at("d"), 1)).toEqual(at("a"));
    expect(neighbourOf(channels, at("a"), -1)).toEqual(at("d"));
  });

  it("of no channel is the first, or the last", () => {
    expect(neighbourOf(channels, null, 1)).toEqual(at("a"));
    expect(neighbourOf(channels, null, -1)).toEqual(at("d"));
    expect(neighbourOf([], null, 1)).toBeNull();
    expect(neighbourOf([at("a")], at("a"), 1)).toBeNull();
  });

  it("is the next one that has something unread, where that is asked for", () => {
    const activity = new Map([
      [channelKey(at("b")), { messages: 3 }],
      [channelKey(at("d")), { messages: 1 }],
      [channelKey(at("c")), { messages: 0 }],
    ]);
    expect(neighbourOf(channels, at("b"), 1, activity)).toEqual(at("d"));
    expect(neighbourOf(channels, at("d"), 1, activity)).toEqual(at("b"));
    expect(neighbourOf(channels, at("a"), -1, activity)).toEqual(at("d"));
    expect(neighbourOf(channels, at("a"), 1, new Map())).toBeNull();
  });
});
