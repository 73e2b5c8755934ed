import { connect, createServer } from "node:net";
import { host, port, upstreamPort } from "./address.ts";

/** Two sockets and a pipe each way. */
createServer({ noDelay: true }, (client) => {
  const service = connect({ port: upstreamPort, host, noDelay: true });
  client.pipe(service).pipe(client);
  client.on("error", () => service.destroy()).on("close", () => service.destroy());
  service.on("error", () => client.destroy()).on("close", () => client.destroy());
}).listen(port, host);
