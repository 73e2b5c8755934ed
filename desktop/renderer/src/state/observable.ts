/** A value that changes, in the form that React's `useSyncExternalStore` reads. */
export interface Observable<T> {
  readonly get: () => T;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface Source<T> extends Observable<T> {
  readonly set: (value: T) => void;
}

export function createSource<T>(initial: T): Source<T> {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    get: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener();
    },
  };
}
