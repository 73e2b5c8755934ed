import { z } from "zod";
import type { Rectangle } from "electron";
import type { WindowBounds } from "../ports.ts";

const pixels = z.int().min(-100_000).max(100_000);
const size = z.int().min(200).max(100_000);

export const windowBoundsSchema = z.object({
  bounds: z.object({ x: pixels, y: pixels, width: size, height: size }),
  maximized: z.boolean(),
}) satisfies z.ZodType<WindowBounds>;

export const DEFAULT_SIZE = { width: 1_080, height: 760 };
export const MINIMUM_SIZE = { minWidth: 480, minHeight: 400 };

const GRIP = 80;

/** So much of the title bar must be on a screen that the user can drag the window. */
const canBeGripped = (bounds: Rectangle, area: Rectangle): boolean => {
  const left = Math.max(bounds.x, area.x);
  const right = Math.min(bounds.x + bounds.width, area.x + area.width);
  return right - left >= GRIP && bounds.y >= area.y - GRIP / 4 && bounds.y <= area.y + area.height - GRIP;
};

/** The saved bounds, unless their screen is gone. */
export function restoredBounds(
  saved: WindowBounds | undefined,
  areas: readonly Rectangle[],
): Partial<Rectangle> & { readonly width: number; readonly height: number } {
  if (!saved || !areas.some((area) => canBeGripped(saved.bounds, area))) return DEFAULT_SIZE;
  return saved.bounds;
}
