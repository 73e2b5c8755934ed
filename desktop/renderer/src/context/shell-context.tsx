import { Toast } from "@base-ui/react/toast";
import { createContext, use, useEffect, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { useClient } from "./client-context.tsx";
import { useAnnouncer } from "../ui/announcer.tsx";
import { createRecents } from "./recents.ts";
import type { Recents } from "./recents.ts";

/** What lies over the frame. */
export type Overlay =
  | { readonly kind: "switcher" }
  | { readonly kind: "shortcuts" }
  | { readonly kind: "create"; readonly server: string | null }
  | { readonly kind: "join" }
  | { readonly kind: "add-server" }
  | { readonly kind: "invite"; readonly roomId: string }
  | { readonly kind: "request"; readonly server: string; readonly serverId: string | null }
  | { readonly kind: "leave"; readonly roomId: string }
  | {
      readonly kind: "report";
      readonly server: string;
      readonly roomId: string;
      readonly userId: string;
      readonly displayName: string;
      readonly message: { readonly id: string; readonly content: string } | null;
    }
  | { readonly kind: "room-settings"; readonly roomId: string };

export interface Shell {
  readonly recents: Recents;
  readonly overlay: Overlay | null;
  readonly open: (overlay: Overlay) => void;
  readonly close: () => void;
  /** Says something that happened, for eyes and ears, for a moment. */
  readonly tell: (sentence: string, action?: ToastAction) => void;
}

/** Offered with what is told, for as long as it is shown. */
export interface ToastAction {
  readonly label: string;
  readonly onClick: () => void;
}

const ShellContext = createContext<Shell | undefined>(undefined);

export function useShell(): Shell {
  const shell = use(ShellContext);
  if (shell === undefined) throw new Error("This part of the page needs the frame");
  return shell;
}

const SHOWN_MS = 6_000;
const OFFERED_MS = 60_000;

export function ShellProvider({ children }: { children: ReactNode }) {
  const { store } = useClient();
  const { say } = useAnnouncer();
  const [recents] = useState(() => createRecents(store));
  const [toasts] = useState(() => Toast.createToastManager());
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  useEffect(() => void recents.load(), [recents]);
  const shell = useMemo(
    (): Shell => ({
      recents,
      overlay,
      open: setOverlay,
      close: () => setOverlay(null),
      tell(sentence, action) {
        const offer = action && { actionProps: { children: action.label, onClick: action.onClick } };
        toasts.add({ title: sentence, timeout: action ? OFFERED_MS : SHOWN_MS, ...offer });
        say(sentence);
      },
    }),
    [recents, overlay, toasts, say],
  );
  return (
    <Toast.Provider toastManager={toasts} timeout={SHOWN_MS} limit={3}>
      <ShellContext value={shell}>{children}</ShellContext>
    </Toast.Provider>
  );
}
