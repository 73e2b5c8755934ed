import { describe } from "@jest/globals";
import { findChromium } from "./chromium.ts";

const known = findChromium() === undefined ? describe.skip : describe;

/** A suite that needs Chromium; on a machine without one it is skipped, and so reported as not run. */
export const inChromium = (name: string, suite: () => void): void => known(`${name} (needs Chromium)`, suite);
