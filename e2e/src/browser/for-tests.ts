import { describe } from "@jest/globals";
import { findChromium } from "./chromium.ts";

const known = findChromium() === undefined ? describe.skip : describe;

/** A suite that needs Chromium; without one it is skipped and reported as not run. */
export const inChromium = (name: string, suite: () => void): void => known(`${name} (needs Chromium)`, suite);
