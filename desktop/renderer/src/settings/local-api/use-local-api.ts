import type { LocalApiView } from "@hearth/bridge";
import { useDesktop } from "../desktop.tsx";
import { useObservable } from "../../state/use-observable.ts";
import type { Trouble } from "../../state/trouble.ts";
import { strings } from "../../strings/strings.ts";
import type { Control } from "./local-api-state.ts";
import type { LocalApiStore } from "./local-api-store.ts";

/** The local API while the app has said how it stands, for the parts of its screen. */
export interface ReadyLocalApi {
  readonly store: LocalApiStore;
  readonly view: LocalApiView;
  readonly isBusy: (control: Control) => boolean;
  readonly problemOf: (control: Control) => string | undefined;
}

function sentence(trouble: Trouble): string {
  switch (trouble.kind) {
    case "refused":
      return trouble.message;
    case "no-answer":
      return strings.app.noAnswer;
    case "not-opened":
      return strings.localApi.notOpened;
  }
}

export function useLocalApi(): ReadyLocalApi {
  const store = useDesktop().localApi;
  const state = useObservable(store);
  if (state.phase !== "ready") throw new Error("The app has not said yet how the local API stands");
  return {
    store,
    view: state.view,
    isBusy: (control) => state.busy.has(control),
    problemOf(control) {
      const trouble = state.troubles.get(control);
      return trouble && sentence(trouble);
    },
  };
}
