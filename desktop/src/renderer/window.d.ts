import type { HearthBridge } from "../bridge/bridge.ts";

declare global {
  interface Window {
    /** Present in the desktop window only. */
    readonly hearth?: HearthBridge;
  }
}
