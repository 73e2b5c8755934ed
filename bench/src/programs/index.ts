import { attacks } from "./attacks.ts";
import { client } from "./client.ts";
import { cluster } from "./cluster/cluster.ts";
import { connections } from "./connections.ts";
import { fanout } from "./fanout.ts";
import { floods } from "./floods.ts";
import { gateway } from "./gateway.ts";
import { identifyProgram } from "./identify.ts";
import { localApi } from "./local-api.ts";
import { login } from "./login.ts";
import { profile } from "./profile.ts";
import { search } from "./search.ts";
import type { Program } from "./program.ts";

/** Every program of the bench, by the name it is run by. */
export const programs: readonly Program[] = [
  fanout,
  connections,
  identifyProgram,
  floods,
  attacks,
  gateway,
  login,
  search,
  localApi,
  client,
  cluster,
  profile,
];
