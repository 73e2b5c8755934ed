import { describe } from "@jest/globals";
import { findChromium } from "./chromium.ts";

/** A suite that needs Chromium; on a machine without one it is skipped, and so reported as not run by its name. */
export const inChromium = findChromium() === undefined ? describe.skip : describe;
