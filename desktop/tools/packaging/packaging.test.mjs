import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import config from "./electron-builder.config.mjs";

const require = createRequire(import.meta.url);
const { validateConfiguration } = require("app-builder-lib/out/util/config/config.js");
const { listPackage } = require("@electron/asar");
const here = import.meta.dirname;
const quiet = { add: () => undefined };

const OFF = "0".charCodeAt(0);
const ON = "1".charCodeAt(0);

/** Has the mark and the fuses of Electron's program, all turned the wrong way, and nothing else of it. */
async function standIn(folder) {
  const fuses = [1, 0, 1, 1, 0, 0, 1, 1, 0].map((on) => (on ? ON : OFF));
  const mark = Buffer.from("dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX");
  await mkdir(path.join(folder, "resources"), { recursive: true });
  const program = Buffer.concat([
    Buffer.alloc(64),
    mark,
    Buffer.from([1, fuses.length, ...fuses]),
    Buffer.alloc(64),
  ]);
  await writeFile(path.join(folder, "electron"), program, { mode: 0o755 });
  for (const name of ["chrome-sandbox", "LICENSE", "LICENSES.chromium.html", "version"])
    await writeFile(path.join(folder, name), "");
}

describe("the configuration", () => {
  it("is valid by electron-builder's own schema, which knows a wrong name when it sees one", async () => {
    await validateConfiguration(config, quiet);
    await assert.rejects(validateConfiguration({ ...config, electronFuse: {} }, quiet), /electronFuse/);
    const electronFuses = { ...config.electronFuses, runAsNode: "no" };
    await assert.rejects(validateConfiguration({ ...config, electronFuses }, quiet), /runAsNode/);
  });

  it("decides every fuse that electron-builder can turn", async () => {
    const schema = JSON.parse(await readFile(require.resolve("app-builder-lib/scheme.json"), "utf8"));
    const known = Object.keys(schema.definitions.FuseOptionsV1.properties);
    const decided = [...Object.keys(config.electronFuses), "resetAdHocDarwinSignature"];
    assert.deepEqual(decided.sort(), known.sort());
  });

  it("has a lock file that names no registry", async () => {
    assert.doesNotMatch(await readFile(path.join(here, "package-lock.json"), "utf8"), /"resolved": "http/);
  });
});

describe("a package for Linux, made over a stand-in for Electron's program", {
  skip: process.platform !== "linux",
}, () => {
  let folder;
  let app;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "hearth-package-"));
    await standIn(path.join(folder, "electron"));
    const options = [
      "--dir",
      `--config.electronDist=${path.join(folder, "electron")}`,
      `--config.directories.output=${path.join(folder, "packages")}`,
    ];
    await promisify(execFile)(process.execPath, [path.join(here, "package.ts"), ...options], { cwd: here });
    app = path.join(folder, "packages/linux-unpacked");
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it("has its fuses turned: no Node, no inspector, only the checked archive, encrypted cookies", async () => {
    const wire = await getCurrentFuseWire(path.join(app, "hearth"));
    const expected = {
      RunAsNode: OFF,
      EnableCookieEncryption: ON,
      EnableNodeOptionsEnvironmentVariable: OFF,
      EnableNodeCliInspectArguments: OFF,
      EnableEmbeddedAsarIntegrityValidation: ON,
      OnlyLoadAppFromAsar: ON,
      LoadBrowserProcessSpecificV8Snapshot: OFF,
      GrantFileProtocolExtraPrivileges: OFF,
    };
    for (const [name, state] of Object.entries(expected))
      assert.equal(wire[FuseV1Options[name]], state, name);
  });

  it("ships the bundles and nothing else of ours", () => {
    const files = listPackage(path.join(app, "resources/app.asar"));
    const unexpected = files.filter(
      (file) => !/^\/(main\.mjs|preload\.cjs|package\.json|renderer(\/.*)?)$/.test(file),
    );
    assert.deepEqual(unexpected, []);
    for (const file of ["/main.mjs", "/preload.cjs", "/renderer/index.html"])
      assert.ok(files.includes(file), file);
  });

  it("has its documents beside the archive", async () => {
    for (const file of [
      "static-docs/index.html",
      "static-docs/site-manifest.json",
      "reference/swagger-ui.css",
    ])
      assert.ok((await readFile(path.join(app, "resources", file))).length > 0, file);
  });
});
