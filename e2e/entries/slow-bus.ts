import { ProblemError } from "@hearth/contracts";
import type { Bus } from "@hearth/runtime";

/**
 * A bus whose token check takes a random time up to `MAX_DELAY_MS`, from a seed, and sometimes fails, as over a lossy
 * network.
 */
const seed = Number(process.env["SEED"] ?? "1");
const maxDelayMs = Number(process.env["MAX_DELAY_MS"] ?? "500");
const failing = Number(process.env["FAILING"] ?? "0");

let state = seed;
/** mulberry32 */
const random = (): number => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

export const slowAuth = (bus: Bus): Bus => ({
  request: async (subject, question, options) => {
    if (subject.name === "auth.verify") {
      await new Promise((resolve) => setTimeout(resolve, random() * maxDelayMs));
      if (random() < failing) throw new ProblemError(random() < 0.5 ? "UNAVAILABLE" : "TIMEOUT");
    }
    return bus.request(subject, question, options);
  },
  answer: (subject, handler) => bus.answer(subject, handler),
  publish: (subject, payload) => bus.publish(subject, payload),
  subscribe: (subject, handler, options) => bus.subscribe(subject, handler, options),
  onReconnect: (listener) => bus.onReconnect(listener),
  get connected() {
    return bus.connected;
  },
  close: () => bus.close(),
});
