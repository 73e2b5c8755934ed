import { describe, expect, it } from "@jest/globals";
import {
  CHANNEL,
  type Device,
  LAPTOP,
  type Message,
  OTHER_CHANNEL,
  PHONE,
  SERVER,
  type Session,
  World,
} from "../testing/index.ts";

const SEED = 20261122;
const TABLET = "c0000000-0000-4000-8000-0000000000aa";

/** Nodes that wait for each call, so that announcements arrive out of order. */
const farApart = (seed: number): World =>
  new World({
    nodes: 2,
    seed,
    point: (world) => () => world.time.sleep(world.random.below(40)),
  });

/** The owners of voice in the messages of a device, `identified` included, in their order. */
const ownersOf = (device: Device): Message[] =>
  device.received.flatMap((message) => {
    if (message["type"] === "voice_client_takeover") return [message];
    const voice = message["voice"] as Message | undefined;
    return message["type"] === "identified" && voice ? [voice] : [];
  });

const sayInTime = async (world: World, device: Device, message: Message): Promise<void> => {
  await world.time.sleep(world.random.below(120));
  device.say(message);
};

const takeover = (channelId: string): Message => ({
  type: "voice_client_takeover",
  serverId: SERVER,
  channelId,
});

/** Ada's devices on both nodes take voice over from each other while another device connects. */
const contend = async (world: World, ada: Session): Promise<Device[]> => {
  const devices = await Promise.all(
    [LAPTOP, PHONE].map((clientInstanceId, node) =>
      world.arrive(ada, { clientInstanceId, node, joins: [SERVER] }),
    ),
  );
  const late = async (): Promise<Device> => {
    await world.time.sleep(world.random.below(160));
    const device = world.connect(world.random.below(2));
    device.say({ type: "identify", token: ada.token, clientInstanceId: TABLET });
    return device;
  };
  for (const device of devices)
    for (let times = 0; times < 3; times++) {
      const channel = world.random.pick([CHANNEL, OTHER_CHANNEL]);
      void sayInTime(world, device, takeover(channel));
      if (world.random.chance(0.3))
        void sayInTime(world, device, { type: "voice_state", serverId: SERVER, channelId: null });
    }
  const arriving = late();
  await world.settle();
  return [...devices, await arriving];
};

export const describeVoiceOrder = (runs: number): void =>
  describe(`voice on two nodes across a slow network (seed ${SEED})`, () => {
    it(`VO2 I7 announces no older owner after a newer one, and in the end all devices agree: ${runs} runs`, async () => {
      for (let run = 0; run < runs; run++) {
        const world = farApart(SEED + run);
        const ada = world.logIn();
        const friends = await Promise.all(
          [0, 1].map((node) => world.arrive(world.logIn(), { node, joins: [SERVER] })),
        );
        const devices = await contend(world, ada);
        const lease = await world.leases.get(ada.oderId);
        for (const device of devices) {
          const told = ownersOf(device);
          const fences = told.map(({ fence }) => Number(fence));
          expect({ run, fences }).toEqual({ run, fences: fences.toSorted((a, b) => a - b) });
          const last = told.at(-1);
          expect({
            run,
            owner: last?.["ownerClientInstanceId"] ?? null,
            channel: last?.["channelId"] ?? null,
          }).toEqual({
            run,
            owner: lease?.clientInstanceId ?? null,
            channel: lease?.channelId ?? null,
          });
        }
        for (const friend of friends)
          expect({ run, channel: friend.last("voice_state")?.["channelId"] ?? null }).toEqual({
            run,
            channel: lease?.channelId ?? null,
          });
        await world.close();
      }
    });
  });
