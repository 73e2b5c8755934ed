import { ClientProblem } from "@hearth/device";

/**
 * Saves all items at once. If the store refuses them, saves each one alone, so that one bad record does not affect
 * the others.
 */
export async function saveBatch<Item>(
  items: readonly Item[],
  save: (items: readonly Item[]) => Promise<void>,
): Promise<void> {
  if (items.length === 0) return;
  try {
    await save(items);
  } catch (problem) {
    if (!(problem instanceof ClientProblem) || problem.code !== "INVALID_REQUEST") throw problem;
    if (items.length === 1) return;
    for (const item of items) await saveBatch([item], save);
  }
}
