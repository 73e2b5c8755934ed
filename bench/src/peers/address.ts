/** The port of a peer, set by its starter. */
export const host = process.env["HOST"] ?? "127.0.0.1";
export const port = Number(process.env["PORT"]);
/** The port of the server behind it, if any. */
export const upstreamPort = Number(process.env["UPSTREAM_PORT"]);
