import { regionOf } from "../strings/format.ts";
import { strings } from "../strings/strings.ts";

const DAY = 86_400_000;

/** When things were said, as people of one language write it. */
export interface Times {
  /** "14:02". */
  readonly minute: (time: number) => string;
  /** "Today", "Yesterday", "Friday, 20 November"; with the year where it is another one. */
  readonly day: (time: number, now: number) => string;
  /** With everything there is to say, for a tooltip. */
  readonly exact: (time: number) => string;
  /** Two times are of one day where this is the same. */
  readonly dayOf: (time: number) => string;
}

const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

export function createTimes(language: string, timeZone?: string): Times {
  const zone = timeZone === undefined ? {} : { timeZone };
  const minute = new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit", ...zone });
  const date = { weekday: "long", day: "numeric", month: "long" } as const;
  const thisYear = new Intl.DateTimeFormat(language, { ...date, ...zone });
  const otherYear = new Intl.DateTimeFormat(language, { ...date, year: "numeric", ...zone });
  const exact = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "medium", ...zone });
  const near = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const numbers = new Intl.DateTimeFormat("en-CA", {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    ...zone,
  });
  const dayOf =
    timeZone === undefined
      ? (time: number): string => {
          const day = new Date(time);
          return `${day.getFullYear()}-${day.getMonth()}-${day.getDate()}`;
        }
      : (time: number): string => numbers.format(time);
  const yearOf = (time: number): string | undefined => dayOf(time).split("-", 1)[0];
  return {
    minute: (time) => minute.format(time),
    exact: (time) => exact.format(time),
    dayOf,
    day(time, now) {
      if (dayOf(time) === dayOf(now)) return capitalised(near.format(0, "day"));
      if (dayOf(time + DAY) === dayOf(now)) return capitalised(near.format(-1, "day"));
      const isThisYear = yearOf(time) === yearOf(now);
      return capitalised((isThisYear ? thisYear : otherYear).format(time));
    },
  };
}

export const times = createTimes(regionOf(navigator.languages, strings.language));
