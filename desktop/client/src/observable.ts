/** A value that changes, as zustand's stores offer it for reading. */
export interface Readable<State> {
  readonly getState: () => State;
  readonly getInitialState: () => State;
  readonly subscribe: (listener: (state: State, before: State) => void) => () => void;
}
