import { describeClusterRaces } from "./cluster-races.contract.ts";

describeClusterRaces(1);
