import { expect, it } from "@jest/globals";
import { ClientProblem } from "../problem.ts";
import { createBlocks } from "./blocks.ts";

const [HOME, AWAY, MALLORY, EVE] = ["https://home.example", "https://away.example", "mallory", "eve"];

function stage(kept: Record<string, string> = {}) {
  const meta = new Map(Object.entries(kept));
  const calls: string[] = [];
  let online: (url: string) => void = () => undefined;
  let answer: () => unknown = () => ({ items: [] });
  const blocks = createBlocks({
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
    ...{ blocks, meta, calls, settled },
    goOnline: (url: string) => online(url),
    answers: (next: () => unknown) => void (answer = next),
  };
}

it("AB12 blocks a person on one instance alone, and remembers it", async () => {
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

it("AB12 blocks nobody where the instance refuses", async () => {
  const { blocks, answers } = stage();
  answers(() => {
    throw new ClientProblem("QUOTA_EXCEEDED");
  });
  await expect(blocks.block(HOME, MALLORY)).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
  expect(blocks.isBlocked(HOME, MALLORY)).toBe(false);
});

it("AB12 takes the instance's list when it is online, and keeps what is known while it has none", async () => {
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
