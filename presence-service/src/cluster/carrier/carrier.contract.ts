import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { CLOSE } from "@hearth/contracts";
import type { Carrier, Parcel } from "./carrier.ts";

/** The carriers that a factory of the contract provides. */
export interface CarriersUnderTest {
  /** Connects one more node. It receives everything that is published after the promise resolves. */
  readonly connect: () => Promise<Carrier>;
  readonly close: () => Promise<void>;
}

interface Node {
  readonly carrier: Carrier;
  readonly received: Parcel[];
}

const parcelOf = (n: number | string, given: Partial<Parcel> = {}): Parcel => ({
  room: "server:1",
  message: { type: "chat_message", n },
  ephemeral: false,
  exceptConnectionId: null,
  ...given,
});

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/** The suite that every twin of the carrier passes. */
export function describeCarrierContract(name: string, factory: () => Promise<CarriersUnderTest>): void {
  describe(`${name} keeps the carrier contract`, () => {
    let cluster: CarriersUnderTest;

    const connect = async (): Promise<Node> => {
      const node = { carrier: await cluster.connect(), received: [] as Parcel[] };
      node.carrier.receive((parcel) => void node.received.push(parcel));
      return node;
    };
    const arrived = async ({ received }: Node, count: number): Promise<Parcel[]> => {
      const deadline = Date.now() + 5_000;
      while (received.length < count && Date.now() < deadline) await turn();
      return received;
    };

    beforeEach(async () => {
      cluster = await factory();
    });
    afterEach(() => cluster.close());

    it("WS1 carries a parcel unchanged to every other node, and not back", async () => {
      const [one, two, three] = [await connect(), await connect(), await connect()];
      const full = parcelOf("full", {
        ephemeral: true,
        exceptConnectionId: "connection-1",
        clientInstanceId: "tab-1",
        change: { about: "presence", oderId: "user-1", version: 7 },
        close: { kind: CLOSE.SUPERSEDED, text: "newer" },
        message: {
          type: "chat_message",
          message: { content: 'schön \u2028 "quoted" 🙂', n: [1, null, { a: {} }] },
        },
      });
      await one.carrier.publish(full);
      await two.carrier.publish(parcelOf("end"));
      expect(await arrived(three, 2)).toHaveLength(2);
      expect(three.received).toContainEqual(full);
      expect(await arrived(two, 1)).toEqual([full]);
      expect(await arrived(one, 1)).toEqual([parcelOf("end")]);
    });

    it("WS9 keeps the order of each publisher, awaited or not", async () => {
      const [one, two, three] = [await connect(), await connect(), await connect()];
      const publishing: (Promise<void> | undefined)[] = [];
      for (let n = 0; n < 200; n++) {
        publishing.push(one.carrier.publish(parcelOf(n, { room: `server:${n % 7}` })));
        publishing.push(two.carrier.publish(parcelOf(n, { room: "account:two" })));
      }
      for (const handedOver of publishing) await handedOver;
      const received = await arrived(three, 400);
      const numbersOf = (parcels: Parcel[]) => parcels.map(({ message }) => message["n"]);
      const inOrder = Array.from({ length: 200 }, (_, n) => n);
      expect(numbersOf(received.filter(({ room }) => room !== "account:two"))).toEqual(inOrder);
      expect(numbersOf(received.filter(({ room }) => room === "account:two"))).toEqual(inOrder);
    });

    it("delivers copies: changing one changes no other", async () => {
      const [one, two, three] = [await connect(), await connect(), await connect()];
      const message: Record<string, unknown> = { type: "chat_message", inner: { n: 1 } };
      const publishing = one.carrier.publish(parcelOf(0, { message }));
      message["inner"] = "changed";
      await publishing;
      const [first] = await arrived(two, 1);
      if (first) Object.assign(first.message, { inner: "changed" });
      expect((await arrived(three, 1))[0]?.message["inner"]).toEqual({ n: 1 });
    });

    it("publishes while there is no other node, and again when there is one", async () => {
      const one = await connect();
      await one.carrier.publish(parcelOf("nobody hears"));
      const two = await connect();
      await one.carrier.publish(parcelOf("heard"));
      expect(await arrived(two, 1)).toEqual([parcelOf("heard")]);
    });

    it("delivers nothing to a closed node, and refuses its parcels", async () => {
      const [one, two, three] = [await connect(), await connect(), await connect()];
      await two.carrier.close();
      await one.carrier.publish(parcelOf("after"));
      await arrived(three, 1);
      expect(two.received).toEqual([]);
      await expect(two.carrier.publish(parcelOf("late"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    });
  });
}
