import { describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { aServer } from "../../testing/records.ts";
import { createSearchIndex, hitsAfter } from "./search.ts";
import type { ServerRecord } from "../records.ts";

/** The two reads of the store that the index makes. */
const directory = (...initial: ServerRecord[]) => {
  const servers = new Map(initial.map((server) => [server.id, server]));
  const reads: string[][] = [];
  const state = { away: false, during: (): void => undefined };
  const read = <Result>(result: Result): Result => {
    if (state.away) throw new ProblemError("UNAVAILABLE");
    state.during();
    return result;
  };
  const index = createSearchIndex({
    listPublic: async ({ after, limit }) => {
      const listed = [...servers.values()].filter(({ visibility }) => visibility === "public");
      const from = after === null ? 0 : listed.findIndex(({ id }) => id === after[1]) + 1;
      return read(listed.slice(from, from + limit));
    },
    findMany: async (ids) => {
      reads.push([...ids]);
      return read(ids.flatMap((id) => servers.get(id) ?? []));
    },
  });
  let version = 1;
  const put = (server: ServerRecord) => {
    servers.set(server.id, { ...server, version: (version += 1) });
    index.changed(server.id);
  };
  const names = async (query: string) =>
    (await index.find(query)).map(({ id }) => servers.get(id)?.name ?? "(gone)");
  return { index, servers, reads, state, put, names };
};

describe("search", () => {
  it("DI2 finds by name, description and tags, the name first", async () => {
    const { names } = directory(
      aServer({ name: "Cooking", description: "All about knitting" }),
      aServer({ name: "Chess", tags: ["knitting"] }),
      aServer({ name: "Knitting circle" }),
      aServer({ name: "Sailing" }),
    );
    expect(await names("knitting")).toEqual(["Knitting circle", "Chess", "Cooking"]);
  });

  it.each([
    ["a prefix", "astro"],
    ["a missing letter", "astronmy"],
    ["a wrong letter", "astrenomy"],
    ["two letters swapped", "astornomy"],
    ["another case", "ASTRONOMY"],
    ["other letters of the same look", "ＡＳＴＲＯＮＯＭＹ"],
  ])("DI2 finds by %s", async (_what, query) => {
    const { names } = directory(aServer({ name: "Astronomy" }), aServer({ name: "Gardening" }));
    expect(await names(query)).toEqual(["Astronomy"]);
  });

  it("DI2 reads everything again when events may have been missed, and once more if that failed", async () => {
    const unchanged = aServer({ name: "Astronomy" });
    const lost = aServer({ name: "Astrology" });
    const { index, servers, state, names } = directory(unchanged, lost);
    expect(await names("astro")).toHaveLength(2);
    servers.delete(lost.id);
    const made = aServer({ name: "Astronauts" });
    servers.set(made.id, made);
    index.markStale();
    state.away = true;
    await expect(names("astro")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    state.away = false;
    expect((await names("astro")).toSorted()).toEqual(["Astronauts", "Astronomy"]);
  });

  it("DI2 finds accented words by plain letters, and the other way round", async () => {
    const { names } = directory(aServer({ name: "Café Zürich" }));
    expect(await names("cafe zurich")).toEqual(["Café Zürich"]);
    expect(await names("zürich")).toEqual(["Café Zürich"]);
  });

  it("DI2 finds servers with all words, or with any if none has all", async () => {
    const { names } = directory(aServer({ name: "Rust games" }), aServer({ name: "Rust compilers" }));
    expect(await names("rust games")).toEqual(["Rust games"]);
    expect(new Set(await names("rust philosophy"))).toEqual(new Set(["Rust games", "Rust compilers"]));
  });

  it("DI2 puts the larger of two equal servers first", async () => {
    const { names } = directory(
      aServer({ name: "Music", description: "small", memberCount: 3 }),
      aServer({ name: "Music", description: "large", memberCount: 3_000 }),
    );
    expect(await names("music large")).toEqual(["Music"]);
    const { index, servers } = directory(
      aServer({ name: "Music", memberCount: 3 }),
      aServer({ name: "Music", memberCount: 3_000 }),
    );
    const [first] = await index.find("music");
    expect(servers.get(first?.id ?? "")?.memberCount).toBe(3_000);
  });

  it.each(["", "!!!", "?", "*", "\u0301"])("DI2 finds nothing by %j, which has no word", async (query) => {
    const { names } = directory(aServer());
    expect(await names(query)).toEqual([]);
  });

  it("DI2 follows servers that are created, changed, hidden and deleted", async () => {
    const server = aServer({ name: "Alpha" });
    const { index, servers, names, put } = directory();
    expect(await names("alpha")).toEqual([]);
    put(server);
    expect(await names("alpha")).toEqual(["Alpha"]);
    put({ ...server, name: "Beta" });
    expect([await names("alpha"), await names("beta")]).toEqual([[], ["Beta"]]);
    put({ ...server, name: "Beta", visibility: "private" });
    expect(await names("beta")).toEqual([]);
    put({ ...server, name: "Beta" });
    expect(await names("beta")).toEqual(["Beta"]);
    servers.delete(server.id);
    index.changed(server.id);
    expect(await names("beta")).toEqual([]);
  });

  it("DI2 reads a changed server once, however often it was announced", async () => {
    const server = aServer({ name: "Alpha" });
    const { index, reads, put, names } = directory();
    await index.load();
    for (let times = 0; times < 50; times += 1) put(server);
    await names("alpha");
    await names("alpha");
    expect(reads).toEqual([[server.id]]);
  });

  it("DI2 does not miss a change that is announced while it reads", async () => {
    const server = aServer({ name: "Alpha" });
    const { state, put, names } = directory(server);
    await names("alpha");
    let changes = 1;
    state.during = () => {
      if (changes > 0) {
        changes -= 1;
        put({ ...server, name: "Gamma" });
      }
    };
    put({ ...server, name: "Beta" });
    expect(await names("gamma")).toEqual(["Gamma"]);
  });

  it("ER6 loses no change while the store is away", async () => {
    const server = aServer({ name: "Alpha" });
    const { state, put, names } = directory(server);
    state.away = true;
    await expect(names("alpha")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    state.away = false;
    expect(await names("alpha")).toEqual(["Alpha"]);
    put({ ...server, name: "Beta" });
    state.away = true;
    await expect(names("beta")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    state.away = false;
    expect(await names("beta")).toEqual(["Beta"]);
  });

  it("DI2 tolerates no error in a short word, which would be another word", async () => {
    const { names } = directory(aServer({ name: "Cat" }));
    expect(await names("car")).toEqual([]);
  });

  it("DI2 orders by the current member count, without indexing the words again", async () => {
    const [small, large] = [aServer({ name: "Music a" }), aServer({ name: "Music b", memberCount: 50 })];
    const { index, servers, names } = directory(small, large);
    expect(await names("music")).toEqual(["Music b", "Music a"]);
    servers.set(small.id, { ...small, memberCount: 5_000 });
    index.changed(small.id);
    expect(await names("music")).toEqual(["Music a", "Music b"]);
  });

  it("AB3 finds a rare word among very many servers that share the other", async () => {
    const crowd = Array.from({ length: 5_000 }, () => aServer({ name: "The club of chess" }));
    const { names } = directory(...crowd, aServer({ name: "The club of zymurgy" }));
    expect(await names("the club zymurgy")).toEqual(["The club of zymurgy"]);
    expect((await names("the club")).length).toBeLessThanOrEqual(1_024);
  });

  it("AB3 works for milliseconds, whatever the query and the number of servers", async () => {
    const word = (number: number): string => number.toString(36).padStart(5, "a");
    const crowd = Array.from({ length: 4_000 }, (_, number) =>
      aServer({
        name: `a${word(number)}`,
        description: Array.from({ length: 30 }, (_x, at) => word(number * 30 + at)).join(" "),
      }),
    );
    const { index } = directory(...crowd);
    await index.load();
    const times: number[] = [];
    for (const query of [
      "a",
      "aa",
      "a b c d e f g h",
      "aaaaa aaaab aaaac aaaad aaaae aaaaf aaaag aaaah",
      "z".repeat(200),
    ]) {
      const before = process.threadCpuUsage();
      await index.find(query);
      times.push(process.threadCpuUsage(before).user / 1_000);
    }
    // In milliseconds of the processor, which other programs do not lengthen.
    expect(Math.max(...times)).toBeLessThan(100);
  });

  it("DI2 reads a large directory in parts, and all of it", async () => {
    const servers = Array.from({ length: 1_203 }, (_, index) => aServer({ name: `Club ${index}x` }));
    const { names } = directory(...servers);
    expect(await names("1202x")).toContain("Club 1202x");
    expect((await names("club")).length).toBe(1_024);
  });
});

describe("the pages of a search", () => {
  const hits = [
    { id: "a", score: 9 },
    { id: "b", score: 7 },
    { id: "c", score: 7 },
    { id: "d", score: 2 },
  ];
  const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id).join("");

  it("DI2 continue after the last hit, even if it has moved", () => {
    expect(ids(hitsAfter(hits, null))).toBe("abcd");
    expect(ids(hitsAfter(hits, ["b", 7]))).toBe("cd");
    expect(ids(hitsAfter([{ id: "new", score: 99 }, ...hits], ["b", 6.5]))).toBe("cd");
    expect(ids(hitsAfter(hits, ["d", 2]))).toBe("");
  });

  it("DI2 continue after its score if it is gone", () => {
    expect(ids(hitsAfter(hits, ["gone", 7]))).toBe("d");
  });
});
