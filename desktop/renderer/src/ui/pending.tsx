import { useEffect, useState } from "react";
import { problemSentence } from "../strings/problem-sentence.ts";
import { strings } from "../strings/strings.ts";
import { Button } from "./button.tsx";
import "./pending.css";

/** After so long it is said that it takes long; whatever was asked gives up by itself later. */
const SLOW_MS = 6_000;

/** The outline of a list that is on its way. */
export function Pending({ label, rows = 4 }: { label: string; rows?: number }) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="pending" aria-busy="true">
      <p role="status" className={isSlow ? "quiet" : "visually-hidden"}>
        {isSlow ? strings.shell.server.slow : label}
      </p>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="pending-row" aria-hidden="true" />
      ))}
    </div>
  );
}

/** Says what went wrong, and offers to try again. */
export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="failed" role="alert">
      <p>{problemSentence(error)}</p>
      <Button onClick={onRetry}>{strings.app.retry}</Button>
    </div>
  );
}
