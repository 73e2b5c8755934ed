/** Where a peer listens: told by whoever starts it. */
export const host = process.env["HOST"] ?? "127.0.0.1";
export const port = Number(process.env["PORT"]);
/** The port of the server behind it, for those that have one. */
export const upstreamPort = Number(process.env["UPSTREAM_PORT"]);
