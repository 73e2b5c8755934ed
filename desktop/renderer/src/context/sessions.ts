import type { SessionInfo } from "@hearth/contracts";

/** This device first, then the one that was used last. */
export const inOrder = (sessions: readonly SessionInfo[]): readonly SessionInfo[] =>
  sessions.toSorted((a, b) => Number(b.current) - Number(a.current) || b.lastUsedAt - a.lastUsedAt);

const PROGRAMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bHearth\/[\d.]+/, "Hearth"],
  [/\bEdg\//, "Edge"],
  [/\bFirefox\//, "Firefox"],
  [/\b(?:Chrome|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biP(?:hone|ad)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const nameIn = (text: string, names: typeof PROGRAMS): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** What a browser's own description comes down to, for a session without a name of its own. */
export function clientName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const program = nameIn(userAgent, PROGRAMS);
  const system = nameIn(userAgent, SYSTEMS);
  if (program === undefined) return system ?? null;
  return system === undefined ? program : `${program} · ${system}`;
}
