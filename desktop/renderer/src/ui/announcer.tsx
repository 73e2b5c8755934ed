import { createContext, use } from "react";
import type { ReactNode } from "react";
import type { Announcer } from "../state/announcer.ts";
import { useObservable } from "../state/use-observable.ts";

const AnnouncerContext = createContext<Announcer | undefined>(undefined);

/** What is said to people who listen to the page; it goes around everything that may have something to say. */
export function AnnouncerProvider({ announcer, children }: { announcer: Announcer; children: ReactNode }) {
  return (
    <AnnouncerContext value={announcer}>
      {children}
      <LiveRegion />
    </AnnouncerContext>
  );
}

export function useAnnouncer(): Announcer {
  const announcer = use(AnnouncerContext);
  if (announcer === undefined) throw new Error("This part of the page needs an announcer");
  return announcer;
}

function LiveRegion() {
  const { text, number } = useObservable(useAnnouncer());
  return (
    <div role="status" className="visually-hidden">
      <span key={number}>{text}</span>
    </div>
  );
}
