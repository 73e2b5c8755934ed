import { createStore } from "zustand/vanilla";
import type { Attention, Platform } from "../ports.ts";
import { createResumeWatch } from "./resume-watch.ts";

const TICK_MS = 5_000;

const attentionNow = (): Attention => {
  const isVisible = document.visibilityState === "visible";
  return { isAttended: isVisible && document.hasFocus(), isVisible, isOnline: navigator.onLine };
};

/** The attention of the user and the state of the machine. */
export function pageSituation(): Pick<Platform, "attention" | "onResume"> {
  const attention = createStore<Attention>(attentionNow);
  const listeners = new Set<() => void>();
  const resume = (): void => listeners.forEach((listener) => listener());
  const watch = createResumeWatch(() => Date.now(), resume);
  const look = (): void => {
    const { isAttended, isVisible, isOnline } = attention.getState();
    const now = attentionNow();
    if (now.isAttended !== isAttended || now.isVisible !== isVisible || now.isOnline !== isOnline)
      attention.setState(now, true);
  };
  for (const name of ["focus", "blur", "online", "offline"]) window.addEventListener(name, look);
  document.addEventListener("visibilitychange", () => {
    look();
    if (attention.getState().isVisible) watch.shown();
  });
  document.addEventListener("resume", resume);
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) resume();
  });
  setInterval(() => watch.tick(attention.getState().isVisible), TICK_MS);
  return {
    attention,
    onResume(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
