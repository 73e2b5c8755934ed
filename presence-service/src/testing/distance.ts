import type { Bus } from "@hearth/runtime";
import type { Carrier, Parcel } from "../cluster/carrier/carrier.ts";

/** Called before and after each call across the network; may wait or throw. */
export type AwaitPoint = (name: string) => Promise<void>;

type Method = (...given: unknown[]) => unknown;

/** A port across a network: every call waits on its way there and on its way back. */
export const atADistance = <Port extends object>(name: string, port: Port, point: AwaitPoint): Port =>
  new Proxy(port, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== "function") return member;
      const method = member as Method;
      return async (...given: unknown[]): Promise<unknown> => {
        await point(`${name}.${String(key)} asked`);
        const answer: unknown = await method.apply(target, given);
        await point(`${name}.${String(key)} answered`);
        return answer;
      };
    },
  });

/** A bus whose requests wait on their way there and on their way back. */
export const busAtADistance = (bus: Bus, point: AwaitPoint): Bus => ({
  get connected() {
    return bus.connected;
  },
  async request(subject, question, options) {
    await point(`${subject.name} asked`);
    const answer = await bus.request(subject, question, options);
    await point(`${subject.name} answered`);
    return answer;
  },
  answer: (subject, handler) => bus.answer(subject, handler),
  publish: (subject, payload) => bus.publish(subject, payload),
  subscribe: (subject, handler, options) => bus.subscribe(subject, handler, options),
  onReconnect: (listener) => bus.onReconnect(listener),
  close: () => bus.close(),
});

/** A carrier whose parcels take a while, and arrive in order. */
export const carrierAtADistance = (carrier: Carrier, point: AwaitPoint): Carrier => {
  let last = Promise.resolve();
  return {
    get ready() {
      return carrier.ready;
    },
    publish(parcel: Parcel) {
      const text = JSON.stringify(parcel);
      const sent = last.then(async () => {
        await point("carrier.publish asked");
        await carrier.publish(JSON.parse(text) as Parcel);
      });
      last = sent.catch(() => undefined);
      return sent;
    },
    receive: (handler) => carrier.receive(handler),
    close: () => carrier.close(),
  };
};
