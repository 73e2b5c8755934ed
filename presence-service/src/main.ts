import { runMain } from "@hearth/runtime/network";
import { runPresence } from "./process.ts";

/** A node in a process of its own; every address comes from the environment. */
await runMain(() => runPresence(process.env));
