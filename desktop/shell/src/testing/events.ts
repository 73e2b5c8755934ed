type Listener = (...args: never[]) => unknown;

/** An event of Electron whose listener may prevent it. */
export interface Preventable {
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

export const preventable = <T extends object>(fields: T): T & Preventable => {
  let prevented = false;
  return Object.defineProperty(
    {
      ...fields,
      defaultPrevented: false,
      preventDefault() {
        prevented = true;
      },
    },
    "defaultPrevented",
    { get: () => prevented },
  );
};

/** An emitter whose `on` fits every overload of the real one, because of `never`. */
export class FakeEmitter {
  readonly #listeners = new Map<string, Listener[]>();

  on(event: string, listener: Listener): never {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
    return this as never;
  }

  once(event: string, listener: Listener): never {
    const own: Listener = (...args) => {
      this.off(event, own);
      return listener(...args);
    };
    return this.on(event, own);
  }

  off(event: string, listener: Listener): never {
    this.#listeners.set(
      event,
      (this.#listeners.get(event) ?? []).filter((other) => other !== listener),
    );
    return this as never;
  }

  emit(event: string, ...args: readonly unknown[]): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(...(args as never[]));
  }

  forgetListeners(): void {
    this.#listeners.clear();
  }
}
