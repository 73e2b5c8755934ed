import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { type Device, SERVER, World } from "../testing/index.ts";
import { ALONE_MS } from "./cluster-membership.ts";

const EVERY_MS = 20;
/** At most the burst of a connection: the clock of this world does not move. */
const MESSAGES = 200;
const SEEDS = [1, 2, 3, 4, 5];

const numbersIn = (device: Device): number[] =>
  device.all("chat_message").map(({ message }) => Number((message as { content: string }).content));

/** Counts the parcels that the first node publishes. */
const countParcels = (world: World): { sent: number } => {
  const { carrier } = world.at(0).node;
  const count = { sent: 0 };
  const publish = carrier.publish.bind(carrier);
  carrier.publish = (parcel) => {
    count.sent += 1;
    return publish(parcel);
  };
  return count;
};

/** A user sends messages on a node that is alone and does not renew itself, while another node joins. */
const talk = async (seed: number) => {
  const world = new World({ seed });
  const ada = await world.arrive(world.logIn(), { joins: [SERVER] });
  await world.tick();
  const parcels = countParcels(world);
  let bob: Device | undefined;
  const arrival = setTimeout(world.random.below(ALONE_MS)).then(async () => {
    bob = world.connect(await world.add());
    bob.say({ type: "identify", token: world.logIn().token });
    bob.say({ type: "join_server", serverId: SERVER });
  });
  const before = { parcels: 0, joined: 0 };
  for (let n = 0; n < MESSAGES; n++) {
    const knowsBob = (bob?.all("server_joined").length ?? 0) > 0;
    if (!knowsBob) before.joined = n + 1;
    if (bob === undefined) before.parcels = parcels.sent;
    ada.say({ type: "chat_message", serverId: SERVER, message: { id: `m${n}`, content: String(n) } });
    await setTimeout(EVERY_MS);
  }
  await arrival;
  await world.settle();
  const outcome = {
    heard: bob ? numbersIn(bob) : [],
    before,
    alone: world.at(0).node.clusterMembership.isAlone,
  };
  await world.close();
  return outcome;
};

describe("a node that joins a node that was alone", () => {
  it("WS8 receives every message once a user has joined there, and the other node published nothing before", async () => {
    for (const { heard, before, alone } of await Promise.all(SEEDS.map(talk))) {
      expect(before.parcels).toBe(0);
      expect(alone).toBe(false);
      expect(heard.at(-1)).toBe(MESSAGES - 1);
      const [first = MESSAGES] = heard;
      expect(first).toBeLessThanOrEqual(before.joined);
      expect(heard).toEqual(Array.from({ length: MESSAGES - first }, (_, at) => first + at));
    }
  }, 60_000);
});
