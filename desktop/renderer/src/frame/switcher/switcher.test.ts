import { describe, expect, it } from "@jest/globals";
import type { ChannelActivity } from "@hearth/client";
import { createFakeClient } from "../../testing/fake-client.ts";
import { entriesOf, found } from "./entries.ts";
import { fitOf } from "./match.ts";

describe("how well a name fits", () => {
  it("puts beginnings before words, words before parts, parts before letters in order", () => {
    const fits = ["general", "the general store", "regeneralise", "get no earl"].map((name) =>
      fitOf("gener", name),
    );
    expect([...fits].sort((one, other) => other - one)).toEqual(fits);
    expect(fits.every((fit) => fit > 0)).toBe(true);
  });

  it.each([
    ["GÄR", "garden", true],
    ["tc", "Tuesday Climbers", true],
    ["long gen", "The Long Table general", true],
    ["grdn", "garden", true],
    ["xyz", "garden", false],
    ["nedrag", "garden", false],
    ["", "garden", true],
  ])("%j and %j: %j", (typed, name, fits) => expect(fitOf(typed, name) > 0).toBe(fits));
});

describe("the switcher", () => {
  const client = createFakeClient({ now: Date.UTC(2026, 4, 6) });
  const servers = [...client.servers.state.getState().servers.values()];
  const person = {
    userId: "u",
    displayName: "Gardenia",
    role: "member",
    status: null,
    ...{ statusText: null, username: "gardenia" },
  } as const;
  const quiet = new Map<string, ChannelActivity>();
  const entries = (activity: ReadonlyMap<string, ChannelActivity> = quiet) =>
    entriesOf({ servers, activity, people: [person], roomName: "Lindenhof" });
  const names = (typed: string) => found(entries(), typed, []).map(({ kind, name }) => `${kind} ${name}`);

  it("finds rooms, channels by their own name or behind their room's, and people", () => {
    expect(names("garden")).toEqual(["channel garden", "person Gardenia"]);
    expect(names("linden")[0]).toBe("room Lindenhof");
    expect(names("open press lay")[0]).toBe("channel layout");
    expect(names("nothing like that")).toEqual([]);
  });

  it("shows mentions, unread and recent channels while nothing was typed", () => {
    const channels = entries().flatMap((entry) => (entry.kind === "channel" ? [entry.channel] : []));
    const [first, second, third, fourth] = channels;
    if (!first || !second || !third || !fourth) throw new Error("The sample has too few channels");
    const counts = { first: null, lastMessageAt: null, hasDraft: false };
    const activity = new Map([
      [`${third.roomId}/${third.channelId ?? ""}`, { ...counts, messages: 2, mentions: 0 }],
      [`${fourth.roomId}/${fourth.channelId ?? ""}`, { ...counts, messages: 2, mentions: 1 }],
    ]);
    const shown = found(entries(activity), " ", [second, first], 4);
    expect(shown.map((entry) => entry.kind === "channel" && entry.channel)).toEqual([
      fourth,
      third,
      second,
      first,
    ]);
  });

  it("puts the more recent of two equal names first", () => {
    const general = entries().flatMap((it) =>
      it.kind === "channel" && it.name === "general" ? [it.channel] : [],
    );
    const last = general.at(-1);
    if (last === undefined) throw new Error("The sample has no such channel");
    expect(found(entries(), "general", [last])[0]).toMatchObject({ channel: last });
  });
});
