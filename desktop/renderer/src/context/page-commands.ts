/** What one part of the frame asks of another: to show or hide the members or the search, or to show one person. */
interface Wishes {
  readonly members: null;
  readonly search: null;
  readonly person: string;
}

type Listener = { readonly [Wish in keyof Wishes]: (what: Wishes[Wish]) => void };

const listeners: { readonly [Wish in keyof Wishes]: Set<Listener[Wish]> } = {
  members: new Set(),
  search: new Set(),
  person: new Set(),
};

/** For the parts of the page that do it, while they are there; returns how to end that. */
export function onWish<Wish extends keyof Wishes>(wish: Wish, listener: Listener[Wish]): () => void {
  listeners[wish].add(listener);
  return () => void listeners[wish].delete(listener);
}

export const wish = <Wish extends keyof Wishes>(name: Wish, what: Wishes[Wish]): void => {
  for (const listener of [...listeners[name]]) listener(what);
};
