import { compareText } from "@hearth/device";
import type { MessagePosition } from "@hearth/store";

export const comparePositions = (a: MessagePosition, b: MessagePosition): number =>
  a.timestamp - b.timestamp || compareText(a.id, b.id);

export const positionOf = ({ timestamp, id }: MessagePosition): MessagePosition => ({ timestamp, id });

export const laterPosition = (
  a: MessagePosition | null,
  b: MessagePosition | null,
): MessagePosition | null => {
  if (a === null || b === null) return a ?? b;
  return comparePositions(a, b) >= 0 ? a : b;
};
