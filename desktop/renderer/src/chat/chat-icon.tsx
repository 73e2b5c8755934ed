import { Strokes } from "../ui/strokes.tsx";

/** Strokes on a grid of 24, for what only a conversation has. */
const PATHS = {
  copy: "M9 9h10v11H9zM15 9V5H5v11h4",
  file: "M14 3H6v18h12V7zM14 3v4h4",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  reply: "M10 6l-6 6 6 6M4.5 12H14a6 6 0 0 1 6 6v1",
  retry: "M18.5 12a6.5 6.5 0 1 1-2-4.700M18.5 4v4h-4",
  smile:
    "M12 3.5a8.5 8.5 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM8.5 14a4.200 4.200 0 0 0 7 0M9 9.500v.01M15 9.500v.01",
  trash: "M5 7h14M9.5 7V4.5h5V7M7 7l1 13h8l1-13",
} as const;

export function ChatIcon({ name, size = 20 }: { name: keyof typeof PATHS; size?: number }) {
  return <Strokes path={PATHS[name]} size={size} />;
}
