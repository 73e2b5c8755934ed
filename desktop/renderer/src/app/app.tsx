import { CSPProvider } from "@base-ui/react/csp-provider";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import { Toast } from "@base-ui/react/toast";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import type { Client } from "@hearth/client";
import { ClientProvider } from "../context/client-context.tsx";
import { AnnouncerProvider } from "../ui/announcer.tsx";
import { CrashBoundary } from "./crash-boundary.tsx";
import { Screens } from "./screens.tsx";
import { createQueryClient } from "./query-client.ts";
import { DesktopProvider } from "../settings/desktop.tsx";
import type { Desktop } from "../settings/desktop.tsx";
import type { Announcer } from "../state/announcer.ts";

const direction = (): "ltr" | "rtl" =>
  getComputedStyle(document.documentElement).direction === "rtl" ? "rtl" : "ltr";

interface Props {
  readonly client: Client;
  readonly desktop: Desktop | null;
  readonly announcer: Announcer;
}

/** The content security policy allows no style elements, so that the library is told to make none. */
export function App({ client, desktop, announcer }: Props) {
  const [queries] = useState(createQueryClient);
  return (
    <CrashBoundary>
      <CSPProvider disableStyleElements>
        <DirectionProvider direction={direction()}>
          <Toast.Provider timeout={0} limit={4}>
            <AnnouncerProvider announcer={announcer}>
              <QueryClientProvider client={queries}>
                <ClientProvider client={client}>
                  <DesktopProvider desktop={desktop}>
                    <Screens />
                  </DesktopProvider>
                </ClientProvider>
              </QueryClientProvider>
            </AnnouncerProvider>
          </Toast.Provider>
        </DirectionProvider>
      </CSPProvider>
    </CrashBoundary>
  );
}
