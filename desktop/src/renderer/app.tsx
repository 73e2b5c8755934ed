import { CSPProvider } from "@base-ui/react/csp-provider";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import { Toast } from "@base-ui/react/toast";
import { CrashBoundary } from "./frame/crash-boundary.tsx";
import { DesktopProvider } from "./frame/desktop.tsx";
import type { Desktop } from "./frame/desktop.tsx";
import { Frame } from "./frame/frame.tsx";

const direction = (): "ltr" | "rtl" =>
  getComputedStyle(document.documentElement).direction === "rtl" ? "rtl" : "ltr";

/** The content security policy allows no style elements, so that the library is told to make none. */
export function App({ desktop }: { desktop: Desktop }) {
  return (
    <CrashBoundary>
      <CSPProvider disableStyleElements>
        <DirectionProvider direction={direction()}>
          <Toast.Provider timeout={0} limit={4}>
            <DesktopProvider desktop={desktop}>
              <Frame />
            </DesktopProvider>
          </Toast.Provider>
        </DirectionProvider>
      </CSPProvider>
    </CrashBoundary>
  );
}
