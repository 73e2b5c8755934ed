import { Strokes } from "./strokes.tsx";

/** Strokes on a grid of 24; every icon stands beside a word or in a control that has one. */
const PATHS = {
  add: "M12 5v14M5 12h14",
  back: "M15 5l-7 7 7 7",
  bell: "M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4",
  "bell-off": "M4 4l16 16M8.5 6.2A6 6 0 0 1 18 11v4M6 10.5V16l-1.5 2H16M10 20.5h4",
  check: "M5 12.5l4.5 4.5L19 7",
  chevron: "M7 10l5 5 5-5",
  close: "M6 6l12 12M18 6L6 18",
  compass: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM15.5 8.5l-2 5-5 2 2-5z",
  down: "M12 5v14M6 13l6 6 6-6",
  draft: "M4 20l1-4L16 5l3 3L8 19z",
  flame:
    "M12 3c.5 3.5 5.5 5.5 5.5 11a5.5 5.5 0 0 1-11 0c0-2.5 1.2-4 2.3-5.2.4 1.5 1 2.2 1.9 2.7C10.3 8.5 10.5 5.5 12 3z",
  gear: "M4 7h8M16 7h4M14 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM4 17h4M12 17h8M10 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  hash: "M9 4L7 20M17 4l-2 16M4.5 9h16M3.5 15h16",
  key: "M8.5 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11.5 12l8-8M16 7.5l2.5 2.5",
  leave: "M10 4H5v16h5M14 8l4 4-4 4M8.5 12H18",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 2.5-6 6.5-6s6.5 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.300M18 14.5c2.300.8 3.5 2.600 3.5 5.5",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20",
  shield: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z",
  star: "M12 4l2.400 5 5.600.7-4.100 3.800 1.100 5.5-5-2.700-5 2.700 1.100-5.5L4 9.700 9.600 9z",
  up: "M12 19V5M6 11l6-6 6 6",
  voice: "M4 10v4h3l5 4V6L7 10zM15.5 9a4 4 0 0 1 0 6M18 6.5a7.5 7.5 0 0 1 0 11",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return <Strokes path={PATHS[name]} size={size} width={name === "more" ? 3 : 1.8} />;
}
