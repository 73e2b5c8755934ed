import { ClientProblem } from "@hearth/device";

/** All at once; where the store refuses something as it is, each by itself, so that one bad record harms no other. */
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
