import { missingServers } from "./servers.ts";

/** Prints the programs that a cluster needs and this machine lacks, one per line. */
for (const name of missingServers) console.log(name);
