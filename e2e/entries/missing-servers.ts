import { missingServers } from "./servers.ts";

/** Says, line by line, what this machine lacks for a cluster. */
for (const name of missingServers) console.log(name);
