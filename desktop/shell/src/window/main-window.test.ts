import { silentLog } from "@hearth/runtime";
import { describe, expect, it } from "@jest/globals";
import type { JsonFile } from "../files/json-file.ts";
import { createMainWindow } from "./main-window.ts";
import type { AppWindow, WindowEvents, WindowBounds } from "../ports.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function prepared({
  inBackground = true,
  saved,
}: {
  inBackground?: boolean;
  saved?: WindowBounds | Error;
} = {}) {
  const seen: string[] = [];
  const loads: PromiseWithResolvers<void>[] = [];
  const opened: WindowEvents[] = [];
  const file: JsonFile<WindowBounds> = {
    async read() {
      if (saved instanceof Error) throw saved;
      return saved;
    },
    write: async () => void seen.push("bounds saved"),
  };
  const window = (): AppWindow => ({
    contentsId: opened.length,
    load() {
      const load = Promise.withResolvers<undefined>();
      loads.push(load as PromiseWithResolvers<void>);
      return load.promise;
    },
    reload: () => void seen.push("reload"),
    show: () => void seen.push("show"),
    hide: () => void seen.push("hide"),
    maximize: () => void seen.push("maximize"),
    bounds: () => ({ bounds: { x: 0, y: 0, width: 900, height: 700 }, maximized: false }),
    send: (event) => void seen.push(event),
    destroy: () => void seen.push("destroy"),
  });
  const main = createMainWindow({
    port: {
      open(_options, events) {
        opened.push(events);
        return window();
      },
      workAreas: () => [],
    },
    boundsFile: file,
    crashes: {
      gone: (_window, reason) => void seen.push(`gone: ${reason}`),
      unresponsive: () => void seen.push("unresponsive"),
      responsive: () => void seen.push("responsive"),
    },
    preload: "/preload.cjs",
    version: "1.2.3",
    staysInBackground: () => inBackground,
    quit: () => void seen.push("quit"),
    log: silentLog,
  });
  return { main, seen, loads, opened };
}

describe("the main window", () => {
  it("is shown when it is ready, with its previous size", async () => {
    const bounds = { x: 0, y: 0, width: 900, height: 700 };
    const { main, seen, opened } = prepared({ saved: { bounds, maximized: true } });
    await main.open({ hidden: false });
    expect(seen).toEqual([]);
    opened[0]?.readyToShow();
    expect(seen).toEqual(["maximize", "show"]);
  });

  it("opens with the default size if the saved bounds cannot be read", async () => {
    const { main, opened } = prepared({ saved: new Error("too many files") });
    await main.open({ hidden: false });
    expect(opened).toHaveLength(1);
  });

  it("exists once, however often it is opened", async () => {
    const { main, opened } = prepared();
    await Promise.all([main.open({ hidden: true }), main.open({ hidden: false })]);
    expect(opened.length).toBe(1);
  });

  it("counts as crashed if its page cannot be loaded, unless it was closed meanwhile", async () => {
    const { main, seen, loads } = prepared();
    await main.open({ hidden: false });
    loads[0]?.reject(new Error("ERR_FAILED"));
    await settled();
    expect(seen).toEqual(["gone: load-failed"]);
    const other = prepared();
    await other.main.open({ hidden: false });
    await other.main.close();
    other.loads[0]?.reject(new Error("ERR_ABORTED"));
    await settled();
    expect(other.seen).toEqual(["bounds saved", "destroy"]);
  });

  it("reopens after it was closed, and sends nothing to a missing page", async () => {
    const { main, seen, opened } = prepared();
    await main.open({ hidden: false });
    opened[0]?.closed();
    expect(main.contentsId()).toBeUndefined();
    main.send("links:opened");
    opened[0]?.unresponsive();
    expect(seen).toEqual([]);
    main.show();
    await settled();
    expect(opened.length).toBe(2);
  });

  it.each([
    [true, ["bounds saved", "hide"]],
    [false, ["bounds saved", "quit"]],
  ])("never simply closes (in the background: %s)", async (inBackground, expected) => {
    const { main, seen, opened } = prepared({ inBackground });
    await main.open({ hidden: false });
    expect(opened[0]?.closing()).toBe(false);
    expect(seen).toEqual(expected);
  });
});
