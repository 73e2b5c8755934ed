/** A readable value with subscriptions, as zustand's stores offer it. */
export interface Readable<State> {
  readonly getState: () => State;
  readonly getInitialState: () => State;
  readonly subscribe: (listener: (state: State, before: State) => void) => () => void;
}
