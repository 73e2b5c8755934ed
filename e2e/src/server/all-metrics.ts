import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Member } from "./member.ts";

/** The metrics of all processes at one address. */
export const startAllMetrics = async (members: readonly Pick<Member, "metricsUrl" | "running">[]) => {
  const measured = async ({ metricsUrl }: Pick<Member, "metricsUrl">): Promise<string> =>
    (await fetch(metricsUrl)).text();
  const server = createServer((request, response) => {
    if (request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    Promise.all(members.filter(({ running }) => running).map(measured)).then(
      (texts) => response.end(texts.join("\n")),
      () => response.writeHead(502).end(),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    metricsUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
