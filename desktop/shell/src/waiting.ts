const LIMIT = 20;

/** Things that wait until the page takes them, so that a click before its start is not lost and none comes twice. */
export interface Waiting<T> {
  add(item: T): void;
  take(): T[];
}

export function createWaiting<T>(announce: () => void): Waiting<T> {
  let items: T[] = [];
  return {
    add(item) {
      items = [...items, item].slice(-LIMIT);
      announce();
    },
    take() {
      const taken = items;
      items = [];
      return taken;
    },
  };
}
