// A program: builds the main process into the given folder, runs it over the fake Electron, and prints the result as
// one line of JSON.
import { registerHooks } from "node:module";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { makeMain } from "@hearth/desktop-tools/build";
import { until } from "@hearth/runtime/testing/until";
import { app } from "./electron.ts";
import { startFake } from "./state.ts";

const [, , folder = ""] = process.argv;
const electron = new URL("electron.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "electron" ? { url: electron, shortCircuit: true } : next(specifier, context),
});

await makeMain(folder);
const fake = startFake({ userData: path.join(folder, "data") });
await import(pathToFileURL(path.join(folder, "main.mjs")).href);
app.becomeReady();
await until(() => fake.windows[0]?.loaded !== undefined || fake.exits.length > 0);
const channels = [...fake.handlers.keys()];
const preload = fake.windows[0]?.options.webPreferences?.preload;
if (fake.exits.length === 0) app.askToQuit();
await until(() => fake.exits.length > 0);
process.stdout.write(`${JSON.stringify({ channels, preload, exits: fake.exits, errors: fake.errors })}\n`);
