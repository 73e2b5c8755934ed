import { expect } from "@jest/globals";
import type { Device, Message } from "./device.ts";
import { LAPTOP, OTHER_SERVER, PHONE, SERVER } from "./ids.ts";
import type { Session } from "./services.ts";
import type { World } from "./world.ts";

/** Ada with two devices and Bob in one room, and a user in another room. */
export interface Scene {
  readonly ada: Session;
  readonly bob: Session;
  readonly laptop: Device;
  readonly phone: Device;
  readonly friend: Device;
  readonly elsewhere: Device;
  /** Forgets what each of them has received so far. */
  readonly forget: () => void;
  /** Sends a voice message of a device, returns the fence, and forgets everything received. */
  readonly fenceOf: (device: Device, message: Message) => Promise<number>;
}

/** Connects them, spread over the nodes; Ada's devices join `joins`. */
export const createScene = async (world: World, joins: readonly string[] = [SERVER]): Promise<Scene> => {
  const [ada, bob] = [world.logIn(undefined, "Ada"), world.logIn(undefined, "Bob")];
  const laptop = await world.arrive(ada, { clientInstanceId: LAPTOP, joins, node: 0 });
  const phone = await world.arrive(ada, { clientInstanceId: PHONE, joins, node: 1 });
  const friend = await world.arrive(bob, { joins: [SERVER], node: 1 });
  const elsewhere = await world.arrive(world.logIn(), { joins: [OTHER_SERVER], node: 1 });
  const forget = (): void => {
    for (const device of [laptop, phone, friend, elsewhere]) device.take();
  };
  const fenceOf = async (device: Device, message: Message): Promise<number> => {
    const fence = Number((await world.ask(device, message))?.["fence"]);
    forget();
    return fence;
  };
  forget();
  return { ada, bob, laptop, phone, friend, elsewhere, forget, fenceOf };
};

/** The servers and channels of the `voice_state` messages that a device received. */
export const voicesHeard = (device: Device): unknown[] =>
  device.all("voice_state").map(({ serverId, channelId }) => [serverId, channelId]);

/** The sender's fields in a relayed copy. */
export const stampOf = (world: World, { oderId }: Session, fromDisplayName: string) => ({
  fromUserId: oderId,
  fromUsername: fromDisplayName.toLowerCase(),
  fromDisplayName,
  sentAt: world.time.now(),
});

/** Messages by their type, for a table of tests. */
export const named = (messages: readonly Message[]): [string, Message][] =>
  messages.map((message) => [String(message["type"]), message]);

/** Closes a world, and expects that nothing was logged as a warning or an error. */
export const closeWithoutWarnings = async (world: World): Promise<void> => {
  expect(world.warnings).toEqual([]);
  await world.close();
};
