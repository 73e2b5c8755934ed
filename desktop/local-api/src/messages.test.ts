import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeviceMessage } from "@hearth/device";
import { startLocalApi } from "./testing/local-api-under-test.ts";
import type { LocalApiUnderTest } from "./testing/local-api-under-test.ts";
import type { Answer } from "./testing/raw-call.ts";
import { EMPTY_ROOM, NOW, ROOM, messageId, messageOf } from "./testing/sample.ts";

const COUNT = 1_203;
const MESSAGES = `/api/rooms/${ROOM}/messages`;

const idsOf = ({ body }: Answer): readonly string[] => (body as readonly DeviceMessage[]).map(({ id }) => id);
const nextOf = ({ headers }: Answer): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
const issuesOf = ({ body }: Answer): unknown => (body as { errors?: unknown }).errors;

const inOrder = Array.from({ length: COUNT }, (_, n) => messageOf(n))
  .toSorted((one, other) => one.timestamp - other.timestamp || (one.id < other.id ? -1 : 1))
  .map(({ id }) => id);

describe("pages of messages", () => {
  let api: LocalApiUnderTest;
  beforeAll(async () => {
    api = await startLocalApi(COUNT);
  });
  afterAll(() => api.close());

  /** Follows the `next` links to the end. */
  const walk = async (target: string): Promise<Answer[]> => {
    const pages: Answer[] = [];
    for (let next: string | undefined = target; next !== undefined; next = nextOf(pages.at(-1) as Answer)) {
      pages.push(await api.get(next));
    }
    return pages;
  };

  it("LA2 are 100 messages from the start in (timestamp, id) order, counted, with a link to the next", async () => {
    const page = await api.get(MESSAGES);
    expect(page.status).toBe(200);
    expect(idsOf(page)).toEqual(inOrder.slice(0, 100));
    expect(page.headers.get("x-total-count")).toBe(String(COUNT));
    expect(nextOf(page)).toMatch(/^\/api\/rooms\/[^/]+\/messages\?limit=100&offset=100&after=\d+\.[\w-]+$/);
  });

  it.each<[string, number]>([
    ["0", 1],
    ["-1", 1],
    ["1", 1],
    ["501", 500],
    ["1e9", 500],
    ["1000000000", 500],
  ])("LA2 a limit of %s is clamped (L15)", async (limit, size) => {
    expect(idsOf(await api.get(`${MESSAGES}?limit=${limit}`))).toEqual(inOrder.slice(0, size));
  });

  it.each([
    "limit=abc",
    "limit=1.5",
    "limit=",
    "limit=1&limit=2",
    "limit=NaN",
    "limit=Infinity",
    "limit=0x10",
  ])("LA2 %s is refused (L15)", async (query) => {
    const answer = await api.get(`${MESSAGES}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: "INVALID_REQUEST" });
    expect(issuesOf(answer)).toEqual([{ path: "limit", message: "must be an integer" }]);
  });

  it.each(["-1", "9007199254740992", "NaN", "1.5", "", "x", "1&offset=2", "1e300"])(
    "LA2 an offset of %j is refused (L16)",
    async (offset) => {
      const answer = await api.get(`${MESSAGES}?offset=${offset}`);
      expect(answer.status).toBe(400);
      expect(issuesOf(answer)).toMatchObject([{ path: "offset" }]);
    },
  );

  it.each([0, 1, 599, 600, 1_200, 1_202])("LA2 skip %s messages", async (offset) => {
    const page = await api.get(`${MESSAGES}?limit=5&offset=${offset}`);
    expect(idsOf(page)).toEqual(inOrder.slice(offset, offset + 5));
    expect(nextOf(page) === undefined).toBe(offset + 5 >= COUNT);
  });

  it.each([COUNT, 1_000_000, Number.MAX_SAFE_INTEGER])(
    "LA2 are empty behind the end (%s)",
    async (offset) => {
      const page = await api.get(`${MESSAGES}?offset=${offset}`);
      expect([page.status, page.body, nextOf(page)]).toEqual([200, [], undefined]);
      expect(page.headers.get("x-total-count")).toBe(String(COUNT));
    },
  );

  it("LA2 of an empty room are an empty array", async () => {
    const page = await api.get(`/api/rooms/${EMPTY_ROOM}/messages`);
    expect([page.status, page.text]).toEqual([200, "[]"]);
    expect(page.headers.get("x-total-count")).toBe("0");
  });

  it("LA2 reach every message once by their links", async () => {
    const pages = await walk(`${MESSAGES}?limit=500`);
    expect(pages.map((page) => idsOf(page).length)).toEqual([500, 500, 203]);
    expect(pages.flatMap(idsOf)).toEqual(inOrder);
    expect(nextOf(pages[1] as Answer)).toMatch(/limit=500&offset=1000&after=/);
  });

  it("LA2 continue after their page, whatever is inserted before it", async () => {
    const first = await api.get(`${MESSAGES}?limit=3`);
    const early = { ...messageOf(0), id: "00000000-0000-4000-8000-000000000000", timestamp: NOW - 5 };
    await api.device.writer.saveMessages([early]);
    const second = await api.get(nextOf(first) ?? "");
    expect(idsOf(second)).toEqual(inOrder.slice(3, 6));
    await api.device.writer.removeMessages([{ messageId: early.id, roomId: ROOM, deletedAt: NOW }]);
    const [removed] = (await api.get(MESSAGES)).body as readonly DeviceMessage[];
    expect(removed).toMatchObject({ id: early.id, content: "", deletedAt: NOW });
  });

  it.each(["", "x", "MTIz", "1.", "x.MTIz", "1.MTIz%0A", "1.M=", `${"1".repeat(17)}.MTIz`])(
    "LA2 refuse the position %j",
    async (after) => {
      for (const target of [
        `${MESSAGES}?after=${after}`,
        `${MESSAGES}/since?sinceTimestamp=0&after=${after}`,
      ]) {
        const answer = await api.get(target);
        expect(answer.status).toBe(400);
        expect(issuesOf(answer)).toEqual([{ path: "after", message: "must be taken from a next link" }]);
      }
    },
  );

  it.each(["0.a", `${"9".repeat(16)}.MTIz`, `-${"9".repeat(16)}.w6Q_`])(
    "LA2 take the position %j, which the document allows",
    async (after) => {
      expect((await api.get(`${MESSAGES}?after=${after}`)).status).toBe(200);
      expect((await api.get(`${MESSAGES}/since?sinceTimestamp=0&after=${after}`)).status).toBe(200);
    },
  );

  it("contain the stored message text unchanged", async () => {
    const { text, headers } = await api.get(`${MESSAGES}?limit=2&offset=7`);
    const page = await api.device.reader.messages(ROOM, { limit: 2, from: { offset: 7 } });
    expect(JSON.parse(text)).toEqual(page?.messages);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
  });
});

describe("changes since a time", () => {
  let api: LocalApiUnderTest;
  beforeAll(async () => {
    api = await startLocalApi(COUNT);
  });
  afterAll(() => api.close());
  const since = (query: string): Promise<Answer> => api.get(`${MESSAGES}/since?${query}`);

  it("LA2 are linked pages of 500", async () => {
    const sizes: number[] = [];
    const seen = new Set<string>();
    let next: string | undefined = `${MESSAGES}/since?sinceTimestamp=0`;
    while (next !== undefined) {
      const page = await api.get(next);
      sizes.push(idsOf(page).length);
      for (const id of idsOf(page)) seen.add(id);
      next = nextOf(page);
    }
    expect(sizes).toEqual([500, 500, 203]);
    expect(seen.size).toBe(COUNT);
  });

  it("LA2 contain what was created, edited or removed later, and nothing else", async () => {
    const { writer } = api.device;
    const [last] = ((await since("sinceTimestamp=0")).body as readonly DeviceMessage[]).slice(-1);
    const before = Math.max(last?.updatedAt ?? 0, api.clock.now());
    expect((await since(`sinceTimestamp=${before}`)).body).toEqual([]);
    api.clock.advance(1_000);
    const fresh = { ...messageOf(COUNT), timestamp: NOW - 1_000_000 };
    await writer.saveMessages([fresh]);
    const place = { messageId: messageId(1), roomId: ROOM };
    await writer.editMessages([{ ...place, content: "Edited", revision: 1, editedAt: NOW + 1 }]);
    await writer.removeMessages([{ messageId: messageId(2), roomId: ROOM, deletedAt: NOW + 2 }]);
    const { body } = await since(`sinceTimestamp=${before}`);
    expect(body).toHaveLength(3);
    expect(body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: fresh.id }),
        expect.objectContaining({ id: messageId(1), content: "Edited", revision: 1 }),
        expect.objectContaining({ id: messageId(2), content: "", deletedAt: NOW + 2 }),
      ]),
    );
  });

  it.each([
    "",
    "sinceTimestamp=",
    "sinceTimestamp=yesterday",
    "sinceTimestamp=1.5",
    "sinceTimestamp=1&sinceTimestamp=2",
  ])("LA2 refuse %j (L17)", async (query) => {
    const answer = await since(query);
    expect([answer.status, issuesOf(answer)]).toEqual([
      400,
      [{ path: "sinceTimestamp", message: "must be an integer" }],
    ]);
  });

  it.each<[string, string, number]>([
    ["negative", "-1", 500],
    ["in seconds", "1790000000", 500],
    ["zero", "0", 500],
    ["far ahead", "9007199254740991", 0],
    ["huge", "1e300", 0],
    ["hugely negative", "-1e300", 500],
  ])("LA2 accept a time that is %s (L17)", async (_what, time, size) => {
    const answer = await since(`sinceTimestamp=${time}`);
    expect([answer.status, idsOf(answer).length]).toEqual([200, size]);
  });
});
