import { describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { type Device, type Message, type Session, World, type WorldOptions } from "../testing/index.ts";

const RUNS = 500;
const ROOMS = Array.from({ length: 10 }, (_, n) => `50000000-0000-4000-8000-${String(n).padStart(12, "0")}`);

/** A client that sends identify and join together, and retries after a retryable error. */
class Person {
  readonly session: Session;
  readonly room: string;
  joined = false;
  /** Answers that make a client discard its token. */
  turnedAway = 0;
  reconnects = 0;
  device: Device | null = null;
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
    this.session = world.logIn();
    this.room = world.random.pick(ROOMS);
  }

  async live(): Promise<void> {
    const { time, random } = this.world;
    await time.sleep(random.below(2_000));
    this.connect();
    while (random.chance(0.1)) {
      await time.sleep(random.below(900));
      this.device?.hangUp();
      this.joined = false;
      this.reconnects += 1;
      this.connect();
    }
  }

  private connect(): void {
    const device = this.world.connect(this.world.random.below(2));
    device.heard = (message) => this.hear(device, message);
    this.device = device;
    this.introduce(device);
  }

  private introduce(device: Device): void {
    device.say({ type: "identify", token: this.session.token });
    device.say({ type: "join_server", serverId: this.room });
  }

  private hear(device: Device, { type, inReplyTo }: Message): void {
    if (type === "server_joined") this.joined = true;
    if (type === "auth_required" || type === "auth_error") this.turnedAway += 1;
    if (type !== "error") return;
    if (inReplyTo === "identify") this.later(() => this.introduce(device));
    // Messages behind a failing identify fail as well; they are sent again behind the next one.
    else if (device.last("identified"))
      this.later(() => device.say({ type: "join_server", serverId: this.room }));
  }

  private later(work: () => void): void {
    void this.world.time.sleep(this.world.random.below(50)).then(work);
  }
}

const withFaults = (world: World): void => {
  world.services.before = async (subject) => {
    await world.time.sleep(world.random.below(subject === "auth.verify" ? 501 : 30));
    if (world.random.chance(0.05)) throw new ProblemError(world.random.pick(["UNAVAILABLE", "TIMEOUT"]));
  };
};

const newsOf = (observer: Device, { oderId }: Session): string[] =>
  observer.received.flatMap(({ type, user, oderId: gone }) => {
    if (type === "user_joined" && (user as Session).oderId === oderId) return ["joined"];
    return type === "user_left" && gone === oderId ? ["left"] : [];
  });

const runBatch = async (options: WorldOptions) => {
  const world = new World(options);
  const observers = new Map<string, Device[]>();
  for (const room of ROOMS) {
    const nodes = world.nodes.map((_, node) => world.arrive(world.logIn(), { node, joins: [room] }));
    observers.set(room, await Promise.all(nodes));
  }
  withFaults(world);
  const people = Array.from({ length: RUNS }, () => new Person(world));
  await world.during(Promise.all(people.map((person) => person.live())), 2_000);
  await world.settle();
  return { world, people, observers };
};

const chatIn = async (world: World, room: string, members: readonly Person[]): Promise<void> => {
  const sender = world.random.pick(members);
  for (const { device } of members) device?.take();
  sender.device?.say({ type: "chat_message", serverId: room, message: { id: "m1", content: "hello" } });
  await world.settle();
  for (const person of members) {
    expect(person.device?.all("chat_message")).toHaveLength(person === sender ? 0 : 1);
  }
};

const distance = (world: World) => () => world.time.sleep(world.random.below(6));

/** Of four consecutive seeds, two run on two nodes, and two have their ports across a network. */
export const describeArrivals = (seeds: readonly number[]): void =>
  describe("identify and join sent together", () => {
    it.each(seeds)(
      `WS4 X1 loses no join, and announces each exactly once: ${RUNS} runs of seed %i`,
      async (seed) => {
        const far = seed % 4 >= 2 ? { point: distance } : {};
        const { world, people, observers } = await runBatch({ seed, nodes: 1 + (seed % 2), ...far });
        expect(people.filter(({ joined }) => !joined)).toEqual([]);
        expect(people.filter(({ turnedAway }) => turnedAway > 0)).toEqual([]);
        for (const { session, room, reconnects } of people) {
          for (const observer of observers.get(room) ?? []) {
            const news = newsOf(observer, session);
            if (reconnects === 0) expect(news).toEqual(["joined"]);
            expect(news.at(-1)).toBe("joined");
          }
        }
        for (const room of ROOMS) {
          const members = people.filter((person) => person.room === room);
          const online = await world.roster.online([room]);
          expect(online[room]).toBe(members.length + world.nodes.length);
          await chatIn(world, room, members);
        }
        expect(world.warnings.filter(({ msg }) => msg !== "message failed")).toEqual([]);
        await world.close();
      },
    );

    it("WS2 X1 the same runs lose joins if two messages of a connection are handled at once", async () => {
      const { world, people } = await runBatch({ seed: 0, device: { naive: true } });
      expect(people.filter(({ joined }) => !joined).length).toBeGreaterThan(RUNS / 2);
      expect(people.filter(({ turnedAway }) => turnedAway > 0).length).toBeGreaterThan(RUNS / 2);
      await world.close();
    });
  });
