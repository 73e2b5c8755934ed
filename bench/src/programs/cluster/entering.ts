import { cpuOf, nodeAt, startNodes, throughGateway } from "../../cluster/cluster.ts";
import type { Backstage } from "../../cluster/cluster.ts";
import { plainDoor } from "../../wire/doors.ts";
import type { ClientSocket } from "../../wire/client-socket.ts";
import type { ClusterPart } from "./part.ts";
import { stopAll } from "./part.ts";
import { enteringSample, enterOnce } from "../identify.ts";
import type { Entered, Entering } from "../identify.ts";
import { CLUSTER } from "../names.ts";
import { accountFor, identify, prepareProduct } from "../product-clients.ts";
import type { Run } from "../program.ts";

export const IDENTIFY = "connect and identify";
const CONNECTIONS = 400;
const ROUNDS = 5;

const identifyAs =
  (accounts: Backstage["accounts"]) =>
  async (client: ClientSocket, index: number): Promise<void> => {
    await client.ask(identify(accountFor(accounts, index)), "identified");
  };

/** Token checks over NATS and connections in Redis, compared with the embedded mode. */
export async function startEntering(run: Run, backstage: Backstage): Promise<ClusterPart> {
  const { nats, services, accounts } = backstage;
  const cluster = await startNodes(run.cores, backstage, 1);
  const [node] = cluster.nodes;
  const product = await prepareProduct(run.cores.server, accounts.length);
  product.rest.close();
  const parts = [...cluster.nodes, cluster.redis, nats, services];
  const candidates: readonly Entered[] = [
    {
      name: CLUSTER.embedded,
      server: product.server,
      door: plainDoor,
      enter: identifyAs(product.accounts),
    },
    {
      name: CLUSTER.overNats,
      server: {
        port: nodeAt(cluster, 0).port,
        get cpuMicros() {
          return cpuOf(parts);
        },
      },
      door: throughGateway(plainDoor),
      enter: identifyAs(accounts),
    },
    ...(node
      ? [
          {
            name: CLUSTER.nodeAlone,
            server: node,
            door: throughGateway(plainDoor),
            enter: identifyAs(accounts),
          },
        ]
      : []),
  ];
  return {
    async measure(results, quick) {
      run.progress("  connecting and identifying");
      const entered = new Map(candidates.map((candidate) => [candidate, [] as Entering[]]));
      // The first round fills the cache of verified tokens.
      for (const [candidate] of entered) await enterOnce(candidate, 0, CONNECTIONS);
      for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1)
        for (const [candidate, rounds] of entered) rounds.push(await enterOnce(candidate, 0, CONNECTIONS));
      for (const [{ name }, rounds] of entered) results?.add(IDENTIFY, name, enteringSample(rounds));
    },
    stop: () => stopAll([...cluster.nodes, cluster.redis, product.server]),
  };
}
