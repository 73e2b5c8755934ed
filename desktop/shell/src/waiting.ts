const LIMIT = 20;

/** Items that wait until the page takes them, so that an early click is not lost and none is delivered twice. */
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
