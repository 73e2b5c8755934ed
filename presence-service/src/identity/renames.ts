import { LRUCache } from "@hearth/runtime";

const MAX_NAMES = 10_000;

/**
 * AB8: recently changed display names. An identify that is in progress during a change may have read the older name.
 */
export type Renames = ReturnType<typeof createRenames>;

export const createRenames = () => {
  const names = new LRUCache<string, { readonly displayName: string; readonly count: number }>({
    max: MAX_NAMES,
  });
  let count = 0;
  return {
    add(userId: string, displayName: string): void {
      count += 1;
      names.set(userId, { displayName, count });
    },

    /** Returns a lookup of the names that change after this call. */
    watch(): (userId: string) => string | undefined {
      const since = count;
      return (userId) => {
        const rename = names.get(userId);
        return rename && rename.count > since ? rename.displayName : undefined;
      };
    },
  };
};
