/** What a virtual list tells of where it is, in pixels. */
export interface ScrollState {
  readonly scrollOffset: number;
  readonly viewportSize: number;
  readonly scrollSize: number;
}

const END_SLACK = 48;
/** So far from an end more messages are asked for. */
const LOAD_AHEAD = 1_200;

export const isAtEnd = ({ scrollOffset, viewportSize, scrollSize }: ScrollState): boolean =>
  scrollSize - scrollOffset - viewportSize <= END_SLACK;

/** Which neighbours of the window the scroll position comes close to. */
export function wantedPages(
  { scrollOffset, viewportSize, scrollSize }: ScrollState,
  { hasOlder, hasNewer }: { readonly hasOlder: boolean; readonly hasNewer: boolean },
): { readonly older: boolean; readonly newer: boolean } {
  return {
    older: hasOlder && scrollOffset < LOAD_AHEAD,
    newer: hasNewer && scrollSize - scrollOffset - viewportSize < LOAD_AHEAD,
  };
}

interface Sizes extends ScrollState {
  findItemIndex(offset: number): number;
  getItemOffset(index: number): number;
  getItemSize(index: number): number;
}

/** The last message whose end is in sight, or that fills the whole view; -1 where there is none. */
export function lastSeenIndex(sizes: Sizes, count: number): number {
  if (count === 0 || sizes.viewportSize === 0) return -1;
  const bottom = sizes.scrollOffset + sizes.viewportSize;
  const index = Math.min(sizes.findItemIndex(bottom - 1), count - 1);
  const start = sizes.getItemOffset(index);
  const end = start + sizes.getItemSize(index);
  const isSeen = end <= bottom + END_SLACK / 2 || start <= sizes.scrollOffset;
  return isSeen ? index : index - 1;
}

export const firstVisibleIndex = (sizes: Sizes): number => sizes.findItemIndex(sizes.scrollOffset + 1);

/** Any part of that message is in sight. */
export function isInSight(sizes: Sizes, index: number): boolean {
  const start = sizes.getItemOffset(index);
  const end = start + sizes.getItemSize(index);
  return start < sizes.scrollOffset + sizes.viewportSize && end > sizes.scrollOffset;
}
