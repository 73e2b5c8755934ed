import { runPresence } from "@hearth/presence-service/process";
import { slowAuth } from "./slow-bus.ts";

await runPresence(process.env, slowAuth);
