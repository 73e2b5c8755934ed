import { Suspense } from "react";
import type { ComponentType } from "react";
import { ShortcutHelp } from "../keyboard/shortcut-help.tsx";
import type { Route } from "../navigation/routes.ts";
import { useShell } from "../context/shell-context.tsx";
import type { Overlay } from "../context/shell-context.tsx";
import { QuickSwitcher } from "./switcher/quick-switcher.tsx";

export interface DialogsProps {
  readonly overlay: Exclude<Overlay, { readonly kind: "switcher" | "shortcuts" }>;
  readonly onClose: () => void;
}

interface Props {
  readonly route: Route;
  readonly Dialogs: ComponentType<DialogsProps>;
}

function shown(overlay: Overlay | null, close: () => void, { route, Dialogs }: Props) {
  if (overlay === null) return null;
  switch (overlay.kind) {
    case "switcher":
      return <QuickSwitcher route={route} onClose={close} />;
    case "shortcuts":
      return <ShortcutHelp onClose={close} />;
    default:
      return <Dialogs overlay={overlay} onClose={close} />;
  }
}

/** Whatever lies over the frame; one at a time. */
export function Overlays(props: Props) {
  const { overlay, close } = useShell();
  return <Suspense fallback={null}>{shown(overlay, close, props)}</Suspense>;
}
