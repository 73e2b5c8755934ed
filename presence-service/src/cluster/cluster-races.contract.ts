import { setTimeout } from "node:timers/promises";
import { CLOSE } from "@hearth/contracts";
import { expect, it } from "@jest/globals";
import { CHANNEL, type Device, type Message, SERVER, type Session, World } from "../testing/index.ts";
import { describeOverNetwork, type Network } from "../testing/network.ts";

const SEED = 20261120;
const SCOPE = "ws://chat.test";
const LIMIT_MS = 240_000;

const identify = (device: Device, { token }: Session, clientInstanceId: string): void =>
  device.say({ type: "identify", token, clientInstanceId, connectionScope: SCOPE });
const join = (device: Device): void => device.say({ type: "join_server", serverId: SERVER });
const inEitherOrder = (world: World, devices: readonly Device[]): readonly Device[] =>
  world.random.chance(0.5) ? devices : devices.toReversed();
/** Connects a device that sends identify and join together. */
const entering = (world: World, session: Session): Device => {
  const device = world.connect(world.random.below(2));
  identify(device, session, crypto.randomUUID());
  join(device);
  return device;
};
/** The same somewhere on its way. */
const halfway = async (world: World, session: Session): Promise<Device> => {
  const device = entering(world, session);
  for (let turns = world.random.below(60); turns > 0; turns--) await world.time.step();
  return device;
};
const newsOf = (watcher: Device, { oderId }: Session): unknown[] =>
  watcher.received
    .filter(
      ({ user, oderId: gone }) => gone === oderId || (user as Message | undefined)?.["oderId"] === oderId,
    )
    .map(({ type }) => type);

type Race = (title: string, run: (world: World) => Promise<void>) => void;
const raceOver =
  (network: Network): Race =>
  (title, run) =>
    it(
      title,
      async () => {
        const world = new World({ nodes: 2, seed: SEED, shared: await network.share() });
        // Before that, the brokers may not know all subscriptions yet.
        await world.settle();
        await run(world);
        await world.close();
      },
      LIMIT_MS,
    );
/** A member of the room on each node, who receives the messages of the room there. */
const watch = (world: World): Promise<Device[]> =>
  Promise.all([0, 1].map((node) => world.arrive(world.logIn(), { node, joins: [SERVER] })));

/**
 * Races of two nodes over Redis and NATS from one seed. A `share` of all repetitions finds common errors; rare interleavings
 * need all of them.
 */
export const describeClusterRaces = (share: number): void =>
  describeOverNetwork(`two nodes over Redis and NATS (seed ${SEED})`, (network) => {
    const race = raceOver(network);

    race(
      `WS4 X1 ${share * 2_000} devices that send identify and join together: no join is lost, each is announced once`,
      async (world) => {
        const watchers = await watch(world);
        world.services.before = async () => world.time.sleep(world.random.below(500));
        for (let batch = 0; batch < share * 40; batch++) {
          const people = Array.from({ length: 50 }, () => world.logIn());
          const devices = people.map((person) => entering(world, person));
          await world.settle();
          for (const [at, device] of devices.entries()) {
            expect(device.received.map(({ type }) => type).slice(0, 2)).toEqual([
              "identified",
              "server_joined",
            ]);
            const person = people[at];
            if (person)
              for (const watcher of watchers) expect(newsOf(watcher, person)).toEqual(["user_joined"]);
          }
          for (const device of devices) device.hangUp();
          await world.settle();
          for (const person of people)
            for (const watcher of watchers)
              expect(newsOf(watcher, person)).toEqual(["user_joined", "user_left"]);
          for (const watcher of watchers) watcher.take();
          await world.tick();
        }
        expect(await world.roster.online([SERVER])).toEqual({ [SERVER]: 2 });
      },
    );

    race(
      `WS6 X2 one device that identifies on both nodes at once, ${share * 1_000} times: exactly one survives`,
      async (world) => {
        for (let run = 0; run < share * 1_000; run++) {
          const session = world.logIn();
          const clientInstanceId = crypto.randomUUID();
          const devices = [0, 1].map((node) => world.connect(node));
          for (const device of inEitherOrder(world, devices)) identify(device, session, clientInstanceId);
          await world.settle();
          const open = devices.filter((device) => device.open);
          expect({ run, open: open.length }).toEqual({ run, open: 1 });
          const loser = devices.find((device) => !device.open);
          expect(loser?.closeCode).toBe(CLOSE.SUPERSEDED.code);
          expect(await world.registered(session.oderId)).toEqual(open.map(({ id }) => id));
          for (const device of devices) device.hangUp();
          if (run % 100 === 0) await world.tick();
        }
      },
    );

    race(
      `WS6 X3 X9 ten rapid reconnects, ${share * 100} times: the last survives, and the other device learns of each once`,
      async (world) => {
        for (let run = 0; run < share * 100; run++) {
          const session = world.logIn();
          const peer = await world.arrive(session, { node: run });
          const clientInstanceId = crypto.randomUUID();
          const devices: Device[] = [];
          for (let n = 0; n < 10; n++) {
            const device = world.connect(world.random.below(2), { lingers: true });
            identify(device, session, clientInstanceId);
            devices.push(device);
            await world.settle();
          }
          for (const device of devices.filter(({ open }) => !open).toSorted(() => world.random.next() - 0.5))
            device.end();
          await world.settle();
          expect(devices.map(({ open }) => open)).toEqual([...Array<boolean>(9).fill(false), true]);
          const last = devices.at(-1);
          expect((await world.registered(session.oderId)).toSorted()).toEqual([peer.id, last?.id].toSorted());
          const told = peer.all("account_sync_peer_online").map(({ connectionId }) => connectionId);
          expect(told).toEqual(devices.map(({ id }) => id));
          if (last) identify(last, session, clientInstanceId);
          await world.settle();
          expect(peer.all("account_sync_peer_online")).toHaveLength(10);
          expect(last?.all("account_sync_peer_online")).toEqual([]);
          for (const device of [peer, ...devices]) device.hangUp();
          await world.tick();
        }
      },
    );

    race(
      `WS6 X4 a socket that closes during its identify, ${share * 500} times, leaves nothing behind`,
      async (world) => {
        const [watcher] = await watch(world);
        world.services.before = async () => world.time.sleep(world.random.below(5));
        for (let run = 0; run < share * 500; run++) {
          const session = world.logIn();
          const device = await halfway(world, session);
          device.hangUp();
          await world.settle();
          expect(await world.registered(session.oderId)).toEqual([]);
          expect(["user_left", undefined]).toContain(watcher && newsOf(watcher, session).at(-1));
          watcher?.take();
          if (run % 50 === 0) await world.tick();
        }
        expect(await world.roster.online([SERVER])).toEqual({ [SERVER]: 2 });
      },
    );

    race(
      `AU6 X5 a session that ends while it identifies, ${share * 500} times: never in force afterwards`,
      async (world) => {
        world.services.before = async () => world.time.sleep(world.random.below(5));
        for (let run = 0; run < share * 500; run++) {
          const session = world.logIn();
          const device = await halfway(world, session);
          await world.services.endSession(session);
          await world.settle();
          if (device.open) expect(device.last("auth_error")).toMatchObject({ reason: "revoked" });
          else expect(device.closeCode).toBe(CLOSE.SESSION_REVOKED.code);
          expect(await world.registered(session.oderId)).toEqual([]);
          device.hangUp();
          if (run % 50 === 0) await world.tick();
        }
      },
    );

    race("AU6 X7 a session that ends while the bus is away is closed when it is back", async (world) => {
      for (let run = 0; run < share * 3; run++) {
        const session = world.logIn();
        const devices = await Promise.all([0, 1].map((node) => world.arrive(session, { node })));
        const other = await world.arrive(world.logIn(), { node: run });
        await network.nats.end();
        await expect(world.services.endSession(session)).rejects.toMatchObject({ code: "UNAVAILABLE" });
        await network.nats.start();
        const deadline = Date.now() + 10_000;
        while (devices.some(({ open }) => open) && Date.now() < deadline) {
          await setTimeout(100);
          await world.tick();
        }
        expect(devices.map(({ closeCode }) => closeCode)).toEqual([
          CLOSE.SESSION_REVOKED.code,
          CLOSE.SESSION_REVOKED.code,
        ]);
        expect(other.open).toBe(true);
        other.hangUp();
      }
    });

    race(
      `VO2 X8 two devices on two nodes that take voice at once, ${share * 500} times: one owner, the same everywhere`,
      async (world) => {
        const session = world.logIn();
        const owners = ({ received }: Device): Message[] =>
          received.filter(({ type }) => type === "voice_client_takeover");
        for (let run = 0; run < share * 500; run++) {
          const devices = await Promise.all(
            [0, 1].map((node) => world.arrive(session, { node, joins: [SERVER] })),
          );
          for (const device of inEitherOrder(world, devices))
            device.say({ type: "voice_client_takeover", serverId: SERVER, channelId: CHANNEL });
          if (world.random.chance(0.3)) devices[world.random.below(2)]?.hangUp();
          await world.settle();
          const lease = await world.leases.get(session.oderId);
          expect(lease).not.toBeNull();
          for (const device of devices.filter(({ open }) => open)) {
            const told = owners(device);
            const newest = told.reduce((one, each) =>
              Number(each["fence"]) > Number(one["fence"]) ? each : one,
            );
            expect({ run, owner: newest["ownerClientInstanceId"], fence: newest["fence"] }).toEqual({
              run,
              owner: lease?.clientInstanceId,
              fence: lease?.fence,
            });
            expect(new Set(told.map(({ fence }) => fence)).size).toBe(told.length);
          }
          for (const device of devices) device.hangUp();
          await world.settle();
          if (run % 50 === 0) await world.tick();
        }
      },
    );
  });
