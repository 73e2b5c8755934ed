import { useEffect, useState } from "react";

const MINUTE = 60_000;

/** The time, renewed every half minute, for what is told relative to it. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE / 2);
    return () => clearInterval(timer);
  }, []);
  return now;
}
