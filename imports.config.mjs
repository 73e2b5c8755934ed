import { houses } from "./scripts/imports/floors.ts";
import { importRules } from "./scripts/imports/rules.ts";

export default {
  forbidden: importRules(houses),
  options: {
    includeOnly: houses.map(({ folder }) => `^${folder}/`),
    // Imports of types count.
    tsPreCompilationDeps: true,
  },
};
