import type { ListReach } from "@hearth/client";

interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** Reads a list page by page to its end, and at most so many pages of it. */
export async function allPages<Item>(
  most: number,
  page: (cursor: string | undefined) => Promise<PageOf<Item>>,
): Promise<{ readonly items: readonly Item[]; readonly reach: ListReach }> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < most; count += 1) {
    const answer = await page(cursor);
    items.push(...answer.items);
    if (answer.nextCursor === null) return { items, reach: "whole" };
    cursor = answer.nextCursor;
  }
  return { items, reach: "part" };
}
