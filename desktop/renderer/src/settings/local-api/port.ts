/** What a person typed as a port, read: a port, or why it is none. */
export type PortReading =
  | { readonly ok: true; readonly port: number }
  | { readonly ok: false; readonly problem: "empty" | "not-a-number" | "out-of-range" };

const LAST = 65_535;
/** Ports below this one belong to the system on most machines. */
const FIRST_FREE_FOR_ALL = 1024;

export function readPort(text: string): PortReading {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: false, problem: "empty" };
  if (!/^[+-]?\d+$/.test(trimmed)) return { ok: false, problem: "not-a-number" };
  const port = Number(trimmed);
  return port >= 1 && port <= LAST ? { ok: true, port } : { ok: false, problem: "out-of-range" };
}

/** Another port to offer where this one cannot be had. It is only offered, never taken by itself (rule LA8). */
export const otherPort = (port: number): number =>
  port < FIRST_FREE_FOR_ALL || port >= LAST ? FIRST_FREE_FOR_ALL + 16_854 : port + 1;
