import { houses } from "./scripts/imports/floors.ts";
import { packages } from "./scripts/imports/packages.ts";
import { cruising, everyRule } from "./scripts/imports/rules.ts";

export default { forbidden: everyRule(houses, packages), options: cruising };
