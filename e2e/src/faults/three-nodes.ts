import type { Credential, JoinedServer } from "@hearth/contracts";
import { beforeAll } from "@jest/globals";
import {
  createServer,
  type Device,
  type Dial,
  dialPlain,
  dialSocketIo,
  join,
  register,
  type Socket,
} from "../client/index.ts";
import type { Cluster } from "../server/cluster.ts";
import { describeCluster } from "./cluster-for-tests.ts";

export const NODES = [0, 1, 2] as const;
const SCOPE = "wss://hearth.test";
const SECOND = 1_000;

/** Three presence nodes with a gateway to each; higher numbers wrap around. */
export class ThreeNodes {
  private readonly cluster: () => Cluster;

  constructor(cluster: () => Cluster) {
    this.cluster = cluster;
  }

  get presence(): Cluster["presence"] {
    return this.cluster().presence;
  }

  doorOf(node: number): string {
    return this.cluster().gateways[node % NODES.length]?.url ?? "";
  }

  newcomer(): Promise<Credential> {
    return register(this.doorOf(0));
  }

  /** Connects to the node of that number. */
  async dialled(node: number, { token, id }: Credential, clientInstanceId: string): Promise<Socket> {
    const dial: Dial = node % 2 === 0 ? dialPlain : dialSocketIo;
    const socket = await dial(this.doorOf(node));
    socket.send({ type: "identify", token, oderId: id, clientInstanceId, connectionScope: SCOPE });
    return socket;
  }

  async on(
    node: number,
    account: Credential,
    clientInstanceId: string = crypto.randomUUID(),
  ): Promise<Device> {
    const socket = await this.dialled(node, account, clientInstanceId);
    const identified = await socket.inbox.next("identified");
    return { ...socket, credential: account, clientInstanceId, identified };
  }

  /** A device of the account on every node. */
  onEach(account: Credential): Promise<Device[]> {
    return Promise.all(NODES.map((node) => this.on(node, account)));
  }

  /** A device on every node that has joined the server, of the account or of a new one each. */
  async enterOnEach({ id }: JoinedServer, account?: Credential): Promise<Device[]> {
    const devices: Device[] = [];
    for (const node of NODES) {
      const device = await this.on(node, account ?? (await this.newcomer()));
      await join(device, id);
      devices.push(device);
    }
    return devices;
  }
}

/** A public server on the nodes. */
export interface CommonServer {
  readonly owner: Credential;
  readonly room: JoinedServer;
  /** The owner's device in the server, on the last node. */
  readonly witness: Device;
}

export const closeAll = async (...devices: readonly Device[]): Promise<void> => {
  for (const device of devices) await device.close();
};

export const isAlive = async (device: Device): Promise<boolean> =>
  Promise.race([
    device.ask({ type: "ping" }).then(() => true),
    device.closed.then(() => false),
    new Promise<boolean>((resolve) => setTimeout(resolve, SECOND, false)),
  ]);

/** A suite over three nodes and a server that exists when its tests start. */
export const describeThreeNodes = (
  name: string,
  suite: (nodes: ThreeNodes, common: () => CommonServer) => void,
): void => {
  const options = { presence: NODES.length, gateways: NODES.length, pinned: true };
  describeCluster(
    name,
    (cluster) => {
      const nodes = new ThreeNodes(cluster);
      let common: CommonServer | undefined;
      beforeAll(async () => {
        const owner = await nodes.newcomer();
        const room = await createServer(nodes.doorOf(0), owner, { name: "Three nodes" });
        const witness = await nodes.on(2, owner);
        await join(witness, room.id);
        common = { owner, room, witness };
      }, 60_000);
      suite(nodes, () => {
        if (!common) throw new Error("The room is there only while the tests run");
        return common;
      });
    },
    options,
  );
};
