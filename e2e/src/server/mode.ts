/** True where the suites run against two processes of everything instead of one of all. */
export const asCluster = process.env["HEARTH_E2E_MODE"] === "cluster";
