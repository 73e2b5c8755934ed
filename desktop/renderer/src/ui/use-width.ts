import { useSyncExternalStore } from "react";

export type Width = "phone" | "tablet" | "desktop";

const phone = "(max-width: 47.99rem)";
const desktop = "(min-width: 68rem)";

const subscribe = (listener: () => void): (() => void) => {
  const queries = [phone, desktop].map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener("change", listener);
  return () => {
    for (const query of queries) query.removeEventListener("change", listener);
  };
};

const widthNow = (): Width => {
  if (matchMedia(phone).matches) return "phone";
  return matchMedia(desktop).matches ? "desktop" : "tablet";
};

/** How much room there is; `styles/shell.css` has the same limits. */
export const useWidth = (): Width => useSyncExternalStore(subscribe, widthNow);
