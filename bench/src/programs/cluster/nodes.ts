import { createServer } from "../../accounts/accounts.ts";
import { RestClient } from "../../accounts/rest-client.ts";
import { cpuOf, nodeAt, startNodes, throughGateway } from "../../cluster/cluster.ts";
import type { Backstage } from "../../cluster/cluster.ts";
import type { RoomServer } from "../../fanout/room.ts";
import { plainDoor } from "../../wire/doors.ts";
import { ALONE, measureInTurns } from "./alone.ts";
import type { ClusterPart } from "./part.ts";
import { stopAll } from "./part.ts";
import { hearthDoors } from "../fanout.ts";
import { CLUSTER } from "../names.ts";
import { accountFor, identifyAndJoin } from "../product-clients.ts";
import type { Run } from "../program.ts";

/** The size of the room whose members are spread over the nodes. */
export const SPREAD = 300;
export const COUNTS = [1, 2, 3] as const;

async function startCluster(run: Run, backstage: Backstage, count: number) {
  const { nats, services, accounts } = backstage;
  const cluster = await startNodes(run.cores, backstage, count);
  const parts = [...cluster.nodes, cluster.redis, nats];
  const rest = new RestClient(services.port);
  const serverId = await createServer(rest, accountFor(accounts, 0));
  rest.close();
  const server: RoomServer = {
    name: CLUSTER.nodes(count),
    process: {
      port: nodeAt(cluster, 0).port,
      get cpuMicros() {
        return cpuOf(parts);
      },
    },
    portOf: (index) => nodeAt(cluster, index).port,
    door: throughGateway(plainDoor),
    serverId,
    enter: (client, index) => identifyAndJoin(client, accountFor(accounts, index), serverId),
  };
  return { server, stop: () => stopAll([...cluster.nodes, cluster.redis]) };
}

/** Rooms on one node, compared with the embedded mode. */
export async function startAlone(run: Run, backstage: Backstage): Promise<ClusterPart> {
  const [embedded] = await hearthDoors(run);
  if (!embedded) throw new Error("The product has a plain door");
  const { server: alone, stop } = await startCluster(run, backstage, 1);
  return {
    async measure(results, quick) {
      for (const receivers of ALONE) {
        run.progress(`  ${CLUSTER.embedded} and ${alone.name}: ${receivers} receivers`);
        const servers = [{ ...embedded, name: CLUSTER.embedded }, alone];
        await measureInTurns(servers, receivers, quick, results);
      }
    },
    stop: () => stopAll([embedded.process, { stop }]),
  };
}

/** Rooms over one, two and three nodes. */
export async function startSpread(run: Run, backstage: Backstage): Promise<ClusterPart> {
  const clusters: Awaited<ReturnType<typeof startCluster>>[] = [];
  for (const count of COUNTS) clusters.push(await startCluster(run, backstage, count));
  const servers = clusters.map(({ server }) => server);
  return {
    async measure(results, quick) {
      run.progress(`  ${servers.map(({ name }) => name).join(", ")}: ${SPREAD} receivers`);
      await measureInTurns(servers, SPREAD, quick, results);
    },
    stop: () => stopAll(clusters),
  };
}
