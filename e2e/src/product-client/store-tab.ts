import type { BrowserContext, Page } from "playwright-core";

/** A tab that has the store open. */
export interface StoreTab {
  readonly page: Page;
  /**
   * Runs a function `(store, argument)` in the page, where `store` is the open store. `hearth` has factories for
   * records, and `problems` the error codes of the store.
   */
  run<Result>(source: string, argument?: unknown): Promise<Result>;
  /** Reloads the page, even while its store is working. */
  reload(): Promise<void>;
  /** Errors of the page, such as violations of its policy. */
  readonly complaints: readonly string[];
}

const OPEN = `(async () => {
  globalThis.problems = [];
  const opened = await hearth.openIndexedDbStore({
    name: "hearth",
    now: () => Date.now(),
    patienceMs: 3_000,
  });
  const { store, state } = hearth.watchStore(opened);
  state.subscribe(({ trouble }) => trouble && problems.push(trouble));
  globalThis.store = { ...store, close: opened.close };
})()`;

export async function openTab(context: BrowserContext, url: string): Promise<StoreTab> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  const load = async (): Promise<void> => {
    await page.goto(url);
    await page.evaluate(OPEN);
  };
  await load();
  return {
    page,
    run: (source, argument = null) =>
      page.evaluate(`(${source})(globalThis.store, ${JSON.stringify(argument)})`),
    reload: load,
    complaints,
  };
}
