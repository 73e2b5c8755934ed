import { lazy } from "react";
import type { ComponentType, LazyExoticComponent } from "react";

const ASK_AGAIN_MS = 3_000;
/** A page that cannot load a part so soon after it was loaded itself would not fare better the next time. */
const YOUNG_MS = 10_000;

const fetches = new Set<() => Promise<unknown>>();

const isServerThere = (): Promise<boolean> =>
  fetch("/", { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );

async function serverIsThere(): Promise<void> {
  while (!(await isServerThere())) await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
}

/**
 * Waits for the server and loads the whole page anew: what failed once is not asked for again by every browser, and a
 * newer version of the page has other parts. What the page knows is stored, and its address says where it was.
 */
async function startOver(problem: unknown): Promise<never> {
  await serverIsThere();
  if (performance.now() < YOUNG_MS) throw problem;
  location.reload();
  return new Promise(() => undefined);
}

/** A part of the page that is fetched when it is first shown, or before that by `fetchLaterParts`. */
export function laterPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  fetches.add(load);
  return lazy(() => load().then((part) => ({ default: part }), startOver));
}

/** Fetches what was not shown yet, also what those parts bring with them, so that it is there while the server is not. */
export async function fetchLaterParts(): Promise<void> {
  for (const fetchPart of fetches) await fetchPart().catch(() => undefined);
}
