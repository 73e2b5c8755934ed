import { expect, it } from "@jest/globals";
import { ClientProblem } from "@hearth/device";
import type { SyncPayloads } from "../wire.ts";
import { createBlocks } from "./blocks.ts";

const [HOME, AWAY, MALLORY, EVE] = ["https://home.example", "https://away.example", "mallory", "eve"];

type Hear = (message: unknown) => void;

function stage(kept: Record<string, string> = {}, tabs = new Set<Hear>()) {
  const told: SyncPayloads[] = [];
  let hear: Hear = () => undefined;
  const meta = new Map(Object.entries(kept));
  const calls: string[] = [];
  let online: (url: string) => void = () => undefined;
  let answer: () => unknown = () => ({ items: [] });
  const blocks = createBlocks({
    platform: {
      tabs: {
        post: (message) =>
          [...tabs].filter((it) => it !== hear).forEach((it) => it(structuredClone(message))),
        onMessage: (listener) => {
          hear = listener;
          tabs.add(hear);
          return () => void tabs.delete(listener);
        },
        exclusive: async (_name, work) => work(),
      },
    },
    sendToDevices: (payload) => void told.push(payload),
    rest: {
      call: async (url: string, route: { readonly operationId: string }) => {
        calls.push(`${route.operationId} ${url}`);
        return (await answer()) as never;
      },
    } as never,
    store: {
      metaEntries: async (prefix) =>
        [...meta].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => ({ key, value })),
      setMeta: async (key, value) => void meta.set(key, value),
    },
    connections: {
      onOnline: (listener) => {
        online = (url) => listener(url, null as never);
        return () => undefined;
      },
    },
  });
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  return {
    ...{ blocks, meta, calls, settled, tabs, told },
    goOnline: (url: string) => online(url),
    answers: (next: () => unknown) => void (answer = next),
  };
}

it("AB12 blocks a user on one instance only, and remembers it", async () => {
  const { blocks, meta } = stage();
  await blocks.start();
  await blocks.block(HOME, MALLORY);
  expect([blocks.isBlocked(HOME, MALLORY), blocks.isBlocked(AWAY, MALLORY)]).toEqual([true, false]);
  const again = stage(Object.fromEntries(meta));
  await again.blocks.start();
  expect(again.blocks.isBlocked(HOME, MALLORY)).toBe(true);
  await blocks.unblock(HOME, MALLORY);
  expect(blocks.isBlocked(HOME, MALLORY)).toBe(false);
});

it("AB12 blocks nobody if the instance refuses", async () => {
  const { blocks, answers } = stage();
  answers(() => {
    throw new ClientProblem("QUOTA_EXCEEDED");
  });
  await expect(blocks.block(HOME, MALLORY)).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
  expect(blocks.isBlocked(HOME, MALLORY)).toBe(false);
});

it("AB12 takes the instance's list when it is online, and keeps the stored one until then", async () => {
  const { blocks, answers, goOnline, settled } = stage({ [`blocks:${HOME}`]: JSON.stringify([MALLORY]) });
  await blocks.start();
  answers(() => {
    throw new ClientProblem("NOT_FOUND");
  });
  goOnline(HOME);
  await settled();
  expect(blocks.isBlocked(HOME, MALLORY)).toBe(true);
  answers(() => ({ items: [{ userId: EVE, createdAt: 1 }] }));
  goOnline(HOME);
  await settled();
  expect([blocks.isBlocked(HOME, MALLORY), blocks.isBlocked(HOME, EVE)]).toEqual([false, true]);
});

it("AB12 updates the other tabs at once, and the other devices ask the instance", async () => {
  const { blocks, tabs, told } = stage();
  const other = stage({}, tabs);
  await Promise.all([blocks.start(), other.blocks.start()]);
  await blocks.block(HOME, MALLORY);
  expect(other.blocks.isBlocked(HOME, MALLORY)).toBe(true);
  await blocks.unblock(HOME, MALLORY);
  expect(other.blocks.isBlocked(HOME, MALLORY)).toBe(false);
  expect([told, other.told]).toEqual([
    [
      { type: "blocks-changed", signalServerUrl: HOME },
      { type: "blocks-changed", signalServerUrl: HOME },
    ],
    [],
  ]);
  other.answers(() => ({ items: [{ userId: EVE, createdAt: 1 }] }));
  await other.blocks.refresh(AWAY);
  expect(other.blocks.isBlocked(AWAY, EVE)).toBe(true);
});

it("AB12 keeps a block that was made while the list was loading", async () => {
  const { blocks, answers, settled } = stage();
  await blocks.start();
  const lists = [{ items: [] }, { items: [{ userId: MALLORY, createdAt: 1 }] }];
  const first = Promise.withResolvers<unknown>();
  answers(() => first.promise);
  const refreshed = blocks.refresh(HOME);
  answers(() => ({}));
  await blocks.block(HOME, MALLORY);
  answers(() => lists[1]);
  first.resolve(lists[0]);
  await refreshed;
  await settled();
  expect(blocks.isBlocked(HOME, MALLORY)).toBe(true);
});
