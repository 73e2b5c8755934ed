import { silentLog } from "@hearth/runtime";
import { describe, expect, it } from "@jest/globals";
import { createCrashes } from "./crashes.ts";
import type { AppWindow } from "./ports.ts";
import { STRINGS } from "./strings.ts";

function prepared(answer = 0) {
  const seen = { reloads: 0, quits: 0, now: 0, asked: [] as string[] };
  const crashes = createCrashes({
    dialog: {
      ask: async ({ message }) => {
        seen.asked.push(message);
        return answer;
      },
      showError: () => undefined,
    },
    clock: { now: () => seen.now },
    quit: () => (seen.quits += 1),
    log: silentLog,
  });
  const window = { reload: () => (seen.reloads += 1) } as unknown as AppWindow;
  return { seen, crashes, window };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a page that crashes", () => {
  it("is reloaded three times a minute, then the user is asked", async () => {
    const { seen, crashes, window } = prepared(1);
    for (let crash = 0; crash < 3; crash += 1) crashes.gone(window, "crashed");
    expect([seen.reloads, seen.asked]).toEqual([3, []]);
    crashes.gone(window, "oom");
    await settled();
    expect(seen).toMatchObject({ reloads: 3, quits: 1, asked: [STRINGS.gone] });
  });

  it("is always reloaded if that happens rarely", () => {
    const { seen, crashes, window } = prepared();
    for (let crash = 0; crash < 20; crash += 1) {
      crashes.gone(window, "crashed");
      seen.now += 21_000;
    }
    expect([seen.reloads, seen.asked]).toEqual([20, []]);
  });

  it("is not reloaded after a regular end", () => {
    const { seen, crashes, window } = prepared();
    crashes.gone(window, "clean-exit");
    expect(seen.reloads).toBe(0);
  });
});

describe("a page that hangs", () => {
  it.each([
    [0, 0],
    [1, 1],
  ])("is reloaded only if the user agrees (button %i)", async (answer, reloads) => {
    const { seen, crashes, window } = prepared(answer);
    crashes.unresponsive(window);
    crashes.unresponsive(window);
    await settled();
    expect(seen).toMatchObject({ reloads, quits: 0, asked: [STRINGS.unresponsive] });
  });
});
