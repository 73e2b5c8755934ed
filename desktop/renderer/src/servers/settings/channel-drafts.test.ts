import { describe, expect, it } from "@jest/globals";
import { changesOf, draftsOf, flawOf, isChanged, merged, moved } from "./channel-drafts.ts";
import type { ChannelDraft } from "./channel-drafts.ts";

const channel = (id: string, position: number, name = id, kind: "text" | "voice" = "text") => ({
  id,
  name,
  kind,
  position,
});
const channels = [channel("b", 1), channel("a", 0), channel("v", 2, "v", "voice")];
const fresh = (name: string): ChannelDraft => ({ key: `new-${name}`, id: null, name, kind: "text" });

describe("channels while they are edited", () => {
  it("start in their order, and move by one", () => {
    const drafts = draftsOf(channels);
    expect(drafts.map(({ key }) => key)).toEqual(["a", "b", "v"]);
    expect(moved(drafts, "b", -1).map(({ key }) => key)).toEqual(["b", "a", "v"]);
    expect(moved(drafts, "a", -1)).toBe(drafts);
    expect(moved(drafts, "v", 1)).toBe(drafts);
  });

  it("know what keeps them from being saved", () => {
    const drafts = draftsOf(channels);
    expect(flawOf(drafts)).toBeNull();
    expect(flawOf([])).toBe("none");
    expect(flawOf([...drafts, fresh(" ")])).toBe("no-name");
    expect(flawOf([...drafts, fresh("x".repeat(65))])).toBe("name-too-long");
    expect(flawOf(drafts.filter(({ kind }) => kind === "voice"))).toBe("no-text");
    expect(flawOf(Array.from({ length: 201 }, (_, index) => fresh(String(index))))).toBe("too-many");
  });

  it("know whether there is something to save, and how it is said", () => {
    const drafts = draftsOf(channels);
    expect(isChanged(drafts, channels)).toBe(false);
    expect(isChanged(moved(drafts, "a", 1), channels)).toBe(true);
    expect(isChanged([...drafts, fresh("c")], channels)).toBe(true);
    expect(changesOf([...drafts.slice(0, 1), fresh(" c ")])).toEqual([
      { id: "a", name: "a", kind: "text" },
      { name: "c", kind: "text" },
    ]);
  });
});

describe("channels that somebody else changed meanwhile", () => {
  it("keep both changes: their order, names and channels, and what was renamed or added here", () => {
    const ours = [
      ...draftsOf(channels).map((it) => (it.id === "a" ? { ...it, name: "ours" } : it)),
      fresh("new"),
    ];
    const theirs = [channel("v", 0, "table", "voice"), channel("a", 1), channel("b", 2), channel("x", 3)];
    expect(merged(ours, channels, theirs).map(({ name }) => name)).toEqual([
      "table",
      "ours",
      "b",
      "x",
      "new",
    ]);
  });

  it("stay removed, whoever removed them", () => {
    const ours = draftsOf(channels).filter(({ id }) => id !== "a");
    expect(merged(ours, channels, [channel("a", 0), channel("v", 1)]).map(({ key }) => key)).toEqual(["v"]);
  });
});
