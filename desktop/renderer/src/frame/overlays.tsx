import { Suspense } from "react";
import { ShortcutHelp } from "../keyboard/shortcut-help.tsx";
import type { Route } from "../navigation/routes.ts";
import { useShell } from "../context/shell-context.tsx";
import type { Overlay } from "../context/shell-context.tsx";
import { QuickSwitcher } from "./switcher/quick-switcher.tsx";
import { laterPart } from "../navigation/later-part.ts";

const ServerDialogs = laterPart(async () => (await import("../servers/server-dialogs.tsx")).ServerDialogs);

function shown(overlay: Overlay | null, route: Route, close: () => void) {
  if (overlay === null) return null;
  switch (overlay.kind) {
    case "switcher":
      return <QuickSwitcher route={route} onClose={close} />;
    case "shortcuts":
      return <ShortcutHelp onClose={close} />;
    default:
      return <ServerDialogs overlay={overlay} onClose={close} />;
  }
}

/** Whatever lies over the frame; one at a time. */
export function Overlays({ route }: { route: Route }) {
  const { overlay, close } = useShell();
  return <Suspense fallback={null}>{shown(overlay, route, close)}</Suspense>;
}
