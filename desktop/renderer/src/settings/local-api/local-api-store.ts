import type { HearthBridge, LocalApiView, LocalDocument, SettingsChange } from "@hearth/bridge";
import type { LocalApiSettings } from "@hearth/device";
import { createSource } from "../../state/observable.ts";
import type { Observable } from "../../state/observable.ts";
import { answerWithin } from "../../state/time-limit.ts";
import type { Later } from "../../state/time-limit.ts";
import { troubleOf } from "../../state/trouble.ts";
import type { Trouble } from "../../state/trouble.ts";
import { begun, ended, withView } from "./local-api-state.ts";
import type { Control, LocalApiState, ReadyState } from "./local-api-state.ts";

/** Called with each view and the one before it. */
export type ViewListener = (after: LocalApiView, before: LocalApiView) => void;

/** Shows what the app says and nothing else: a change appears when the app has made it. */
export interface LocalApiStore extends Observable<LocalApiState> {
  readonly load: () => Promise<void>;
  /** Resolves to whether the app made the change; a control that is busy takes no second one. */
  readonly change: (control: keyof LocalApiSettings, settings: Partial<LocalApiSettings>) => Promise<boolean>;
  readonly revoke: (tokenId: string) => Promise<boolean>;
  readonly revokeAll: () => Promise<boolean>;
  readonly open: (document: LocalDocument) => Promise<boolean>;
  /** Takes the trouble of a control away. */
  readonly forget: (control: Control) => void;
  readonly onView: (listener: ViewListener) => () => void;
}

const refusal = (change: SettingsChange): Trouble | undefined =>
  change.ok ? undefined : { kind: "refused", message: change.issues.map(({ message }) => message).join(" ") };

const made = (view: LocalApiView): SettingsChange => ({ ok: true, view });

/** The state, and the only ways in which it changes. */
function createKeeper() {
  const source = createSource<LocalApiState>({ phase: "loading" });
  const listeners = new Set<ViewListener>();
  return {
    source,
    listeners,
    accept: (view: LocalApiView): void => {
      const before = source.get();
      source.set(withView(before, view));
      if (before.phase !== "ready") return;
      for (const listener of [...listeners]) listener(view, before.view);
    },
    whenReady: (change: (state: ReadyState) => ReadyState): void => {
      const state = source.get();
      if (state.phase === "ready") source.set(change(state));
    },
  };
}

export function createLocalApiStore(bridge: HearthBridge, wait: Later): LocalApiStore {
  const { source, listeners, accept, whenReady } = createKeeper();
  bridge.localApi.onChange(accept);

  const act = async (control: Control, ask: () => Promise<SettingsChange>): Promise<boolean> => {
    const before = source.get();
    if (before.phase !== "ready" || before.busy.has(control)) return false;
    whenReady((state) => begun(state, control));
    try {
      const outcome = await answerWithin(ask, wait);
      if (outcome.ok) accept(outcome.view);
      whenReady((state) => ended(state, control, refusal(outcome)));
      return outcome.ok;
    } catch (error) {
      whenReady((state) => ended(state, control, troubleOf(error)));
      return false;
    }
  };

  return {
    get: source.get,
    subscribe: source.subscribe,
    async load() {
      if (source.get().phase === "unreachable") source.set({ phase: "loading" });
      try {
        accept(await answerWithin(() => bridge.localApi.view(), wait));
      } catch {
        if (source.get().phase === "loading") source.set({ phase: "unreachable" });
      }
    },
    change: (control, settings) => act(control, () => bridge.localApi.change(settings)),
    revoke: (tokenId) => act("tokens", async () => made(await bridge.localApi.revokeToken(tokenId))),
    revokeAll: () => act("tokens", async () => made(await bridge.localApi.revokeAllTokens())),
    async open(document) {
      if (!(await act(document, async () => made(await bridge.openDocument(document))))) return false;
      const state = source.get();
      if (state.phase === "ready" && state.view.state.status === "listening") return true;
      whenReady((it) => ended(it, document, { kind: "not-opened" }));
      return false;
    },
    forget: (control) => whenReady((state) => ended(state, control)),
    onView(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
