import "../app/no-generated-code.ts";
import { createFakeBridge } from "./fake-bridge.ts";
import type { FakeBridge, Scenario } from "./fake-bridge.ts";

declare global {
  var hearthScenario: Scenario | undefined;
  var hearthFake: FakeBridge;
}

globalThis.hearthFake = createFakeBridge(globalThis.hearthScenario);
Object.defineProperty(globalThis, "hearth", { value: globalThis.hearthFake.bridge });
