import type { Accounts, AccountsState } from "@hearth/client";

/** Whose things are stored here, signed in or not. */
const ownerOf = ({ homeUrl, instances }: AccountsState): string | null =>
  instances.find(({ url }) => url === homeUrl)?.account?.userId ?? null;

/** When somebody else signs in, in this tab or another, what this page has in memory is not theirs: it begins anew. */
export function followOwner({ state }: Pick<Accounts, "state">, beginAnew: () => void): () => void {
  let owner = ownerOf(state.getState());
  return state.subscribe((now) => {
    const next = ownerOf(now);
    if (next === null || next === owner) return;
    if (owner !== null) beginAnew();
    owner = next;
  });
}
