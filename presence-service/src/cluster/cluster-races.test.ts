import { describeClusterRaces } from "./cluster-races.contract.ts";

// All of them: cluster-races.long.test.ts.
describeClusterRaces(1 / 10);
