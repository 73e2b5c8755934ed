// `npm run lint:api`: runs Redocly and Spectral on the OpenAPI documents of the server and of the local API. npx
// fetches both at the versions below; they are too heavy as dependencies.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const REDOCLY = "@redocly/cli@2.77.0";
const SPECTRAL = "@stoplight/spectral-cli@6.16.3";

const { dirname } = import.meta;
const root = path.dirname(dirname);
const local = readFileSync(path.join(root, "desktop/local-api/src/generated/openapi.json"), "utf8");
const print = path.join(root, "gateway/src/openapi/print.ts");
const server = execFileSync(process.execPath, [print], { encoding: "utf8", maxBuffer: 2 ** 26 });
const documents = { server, local };

const runs = (file) => [
  [REDOCLY, "redocly", "lint", "--config", path.join(dirname, "redocly.yaml"), file],
  [SPECTRAL, "spectral", "lint", "--fail-severity=hint", "-r", path.join(dirname, "spectral.yaml"), file],
];

const folder = mkdtempSync(path.join(tmpdir(), "hearth-openapi-"));
let failures = 0;
try {
  for (const [name, text] of Object.entries(documents)) {
    const file = path.join(folder, `${name}.json`);
    writeFileSync(file, text);
    for (const [program, ...command] of runs(file)) {
      const { status } = spawnSync("npx", ["--yes", "--package", program, ...command], {
        stdio: "inherit",
        env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      });
      if (status !== 0) failures += 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(failures === 0 ? "Both documents pass both programs." : `${failures} of 4 runs failed.`);
process.exitCode = Math.min(failures, 1);
