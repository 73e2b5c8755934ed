import { execFileSync } from "node:child_process";
import path from "node:path";

const rules = path.resolve(import.meta.dirname, "../../../desktop/shell/src/window/content-rules.ts");
const PRINT = `process.stdout.write((await import(process.argv[1])).CONTENT_SECURITY_POLICY);`;

/** The policy under which the app serves the window's page. */
export const WINDOW_POLICY = execFileSync(process.execPath, ["--input-type=module", "--eval", PRINT, rules], {
  encoding: "utf8",
});
