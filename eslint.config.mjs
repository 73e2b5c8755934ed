import { lintConfig } from "./scripts/eslint/config.ts";

export default lintConfig(import.meta.dirname);
