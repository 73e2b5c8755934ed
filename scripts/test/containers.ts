import { startOwnEngine } from "./own-engine.ts";
import { suite } from "./stages.ts";
import type { Outcome } from "./stages.ts";

/** Runs the containers' suite; with `HEARTH_COMPOSE=own` on a temporary engine. */
export async function containers(patterns: readonly string[]): Promise<Outcome> {
  if (process.env["HEARTH_COMPOSE"] !== "own") return suite("containers", patterns);
  const engine = await startOwnEngine();
  if (typeof engine === "string")
    return { failed: 0, skippedTitles: [`optional: the containers (needs a container engine: ${engine})`] };
  process.env["DOCKER_HOST"] = engine.host;
  try {
    return await suite("containers", patterns);
  } finally {
    delete process.env["DOCKER_HOST"];
    await engine.stop();
  }
}
