import { regionOf } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

const language = regionOf(navigator.languages, strings.language);
const formats = UNITS.map(
  (unit) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 }),
);

/** "1.2 MB". */
export function sizeText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return formats[step]?.format(bytes / 1000 ** step) ?? String(bytes);
}
