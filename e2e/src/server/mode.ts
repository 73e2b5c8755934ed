/** Whether the suites run against a cluster instead of one process. */
export const asCluster = process.env["HEARTH_E2E_MODE"] === "cluster";
