import { strings } from "./strings.ts";

/** Numbers and times as people of one language write them. */
export interface Format {
  /** "3 minutes ago", "in 23 hours". */
  readonly relative: (time: number, now: number) => string;
  /** Weekday and minute, in the zone of this machine: enough for what lies within a few days. */
  readonly moment: (time: number) => string;
  /** A day with its year, in the zone of this machine. */
  readonly date: (time: number) => string;
  /** "1 minute, 5 seconds": a short wait. */
  readonly duration: (seconds: number) => string;
  readonly count: (value: number) => string;
  /** "12.6 MB". */
  readonly bytes: (value: number) => string;
  readonly list: (items: readonly string[]) => string;
}

const STEPS = [
  { unit: "day", length: 86_400_000 },
  { unit: "hour", length: 3_600_000 },
  { unit: "minute", length: 60_000 },
] as const;

/** The person's own variety of the language in use, such as `en-GB`, since that decides how a time is written. */
export const regionOf = (wanted: readonly string[], language: string): string =>
  wanted.find((it) => it.split("-", 1)[0] === language) ?? language;

export function createFormat(language: string, timeZone?: string): Format {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const moment = new Intl.DateTimeFormat(language, {
    weekday: "short",
    hour: "numeric",
    minute: "2-digit",
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  const date = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  const size = (name: string) =>
    new Intl.NumberFormat(language, { style: "unit", unit: name, maximumFractionDigits: 1 });
  const [kilobytes, megabytes, gigabytes] = [size("kilobyte"), size("megabyte"), size("gigabyte")];
  const unit = (name: "minute" | "second") =>
    new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "long" });
  const [minutes, seconds] = [unit("minute"), unit("second")];
  const parts = new Intl.ListFormat(language, { type: "unit" });
  const count = new Intl.NumberFormat(language);
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  return {
    relative(time, now) {
      const distance = time - now;
      const step = STEPS.find(({ length }) => Math.abs(distance) >= length);
      if (step === undefined) return relative.format(0, "minute");
      return relative.format(Math.trunc(distance / step.length), step.unit);
    },
    moment: (time) => moment.format(time),
    date: (time) => date.format(time),
    duration(time) {
      const [whole, rest] = [Math.floor(time / 60), time % 60];
      if (whole === 0) return seconds.format(rest);
      return parts.format([minutes.format(whole), ...(rest === 0 ? [] : [seconds.format(rest)])]);
    },
    count: (value) => count.format(value),
    bytes(value) {
      if (value < 1_000_000) return kilobytes.format(value / 1_000);
      return value < 1_000_000_000
        ? megabytes.format(value / 1_000_000)
        : gigabytes.format(value / 1_000_000_000);
    },
    list: (items) => list.format(items),
  };
}

export const format = createFormat(regionOf(navigator.languages, strings.language));

const HOUR_MS = 3_600_000;

/** The end of something as it is told: what ends in a little less than seven days ends in seven days. */
export const toldEnd = (endsAt: number, now: number): number =>
  endsAt - now < HOUR_MS ? endsAt : now + Math.ceil((endsAt - now) / HOUR_MS) * HOUR_MS;
