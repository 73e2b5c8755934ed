import { useObservable } from "../state/use-observable.ts";
import { useDesktop } from "./desktop.tsx";

export function LiveRegion() {
  const { text, number } = useObservable(useDesktop().announcer);
  return (
    <div role="status" className="visually-hidden">
      <span key={number}>{text}</span>
    </div>
  );
}
