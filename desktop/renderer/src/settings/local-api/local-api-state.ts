import type { LocalApiView, LocalDocument } from "@hearth/bridge";
import type { LocalApiSettings } from "@hearth/device";
import type { Trouble } from "../../state/trouble.ts";

/** A part of the screen that can be busy, or show why its last change was not made. */
export type Control = keyof LocalApiSettings | "tokens" | LocalDocument;

export interface ReadyState {
  readonly phase: "ready";
  readonly view: LocalApiView;
  readonly busy: ReadonlySet<Control>;
  readonly troubles: ReadonlyMap<Control, Trouble>;
}

export type LocalApiState = { readonly phase: "loading" } | { readonly phase: "unreachable" } | ReadyState;

/** The state once the app has said how the local API stands. What is busy stays so until its own answer. */
export const withView = (state: LocalApiState, view: LocalApiView): ReadyState =>
  state.phase === "ready"
    ? { ...state, view }
    : { phase: "ready", view, busy: new Set(), troubles: new Map() };

/** The control is at work; what was wrong with it is forgotten. */
export function begun(state: ReadyState, control: Control): ReadyState {
  return { ...ended(state, control), busy: new Set([...state.busy, control]) };
}

/** The control has ended its work, well or with trouble. */
export function ended(state: ReadyState, control: Control, trouble?: Trouble): ReadyState {
  const busy = new Set(state.busy);
  busy.delete(control);
  const troubles = new Map(state.troubles);
  troubles.delete(control);
  if (trouble) troubles.set(control, trouble);
  return { ...state, busy, troubles };
}
