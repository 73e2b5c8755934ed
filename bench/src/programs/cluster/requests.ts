import { fileURLToPath } from "node:url";
import { freePort, isListening } from "@hearth/runtime/testing/servers";
import { cpuOf } from "../../cluster/cluster.ts";
import type { Backstage } from "../../cluster/cluster.ts";
import { natsEnvironment } from "../../cluster/environment.ts";
import { RestClient } from "../../accounts/rest-client.ts";
import { startPeer } from "../../servers/peers.ts";
import { ServerProcess } from "../../servers/server-process.ts";
import type { ClusterPart } from "./part.ts";
import { stopAll } from "./part.ts";
import { CLUSTER, PEERS } from "../names.ts";
import type { Run } from "../program.ts";

export const requestsOf = (inFlight: number): string => `a request on the bus, ${inFlight} in flight`;

interface Asking {
  readonly name: string;
  readonly caller: ServerProcess;
  /** All processes that take part in a response. */
  readonly parts: readonly { readonly cpuMicros: number }[];
}

async function startEntry(
  entry: "bus-caller" | "bus-responder",
  core: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const port = await freePort();
  const file = fileURLToPath(new URL(`../../../entries/${entry}.ts`, import.meta.url));
  return ServerProcess.start({ name: entry, file, port, core, environment, ready: () => isListening(port) });
}

async function measureAsking({ caller, parts }: Asking, inFlight: number, milliseconds: number) {
  const rest = new RestClient(caller.port);
  const callerBefore = caller.cpuMicros;
  const before = cpuOf(parts);
  const body = await rest.expect(200, { path: `/?ms=${milliseconds}&inFlight=${inFlight}` });
  const cpuMicros = cpuOf(parts) - before;
  const callerMicros = caller.cpuMicros - callerBefore;
  rest.close();
  const { perSecond, p50Micros, p99Micros } = body as Readonly<Record<string, number>>;
  if (!perSecond || !p50Micros || !p99Micros) throw new Error("A caller said nothing");
  const requests = (perSecond * milliseconds) / 1000;
  return {
    perSecond,
    p50Micros,
    p99Micros,
    cpuPerRequest: cpuMicros / requests,
    callerPerRequest: callerMicros / requests,
  };
}

/** Callers run on the servers' core, the broker and the responder on the client's. */
export async function startRequests(run: Run, { nats }: Backstage): Promise<ClusterPart> {
  const { cores } = run;
  const environment = natsEnvironment(nats);
  const responder = await startEntry("bus-responder", cores.client, environment);
  const caller = await startEntry("bus-caller", cores.server, { ...environment, BUS: "nats" });
  const inProcess = await startEntry("bus-caller", cores.server, { ...environment, BUS: "memory" });
  const stockResponder = await startPeer("nats-responder", "responder", { core: cores.client, environment });
  const stock = await startPeer("nats-caller", PEERS.natsRequest, { core: cores.server, environment });
  const asking: readonly Asking[] = [
    { name: CLUSTER.overNats, caller, parts: [caller, nats, responder] },
    { name: PEERS.natsRequest, caller: stock, parts: [stock, nats, stockResponder] },
    { name: CLUSTER.embedded, caller: inProcess, parts: [inProcess] },
  ];
  return {
    async measure(results, quick) {
      for (const inFlight of [1, 64]) {
        for (const each of asking) {
          run.progress(`  ${each.name}: ${inFlight} requests in flight`);
          const sample = await measureAsking(each, inFlight, quick ? 300 : 1_500);
          results?.add(requestsOf(inFlight), each.name, sample);
        }
      }
    },
    stop: () => stopAll([caller, inProcess, stock, responder, stockResponder]),
  };
}
