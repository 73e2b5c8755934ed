import type { HearthBridge } from "@hearth/bridge";

declare global {
  interface Window {
    /** Present in the desktop window only. */
    readonly hearth?: HearthBridge;
  }
}
