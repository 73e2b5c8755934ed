import { describe, expect, it } from "@jest/globals";
import { createStore } from "zustand/vanilla";
import type { Attention, Socket } from "../ports.ts";
import { FakeSocket } from "../testing/fake-socket.ts";
import { createConnection } from "./create-connection.ts";
import { ADA, TEST_LIMITS } from "./testing/scripted-server.ts";
import { fc } from "@hearth/device/testing";

const RUNS = 2_000;
const AGAIN = [1000, 1001, 1005, 1006, 1011, 4000, 4001, 4002, 4003, 4008, 4009, 4499] as const;
const FINAL = [4500, 4501, 4502, 4503, 4504, 4505, 4506, 4999] as const;
const STEPS = [
  "open",
  "identified",
  "trouble",
  "drain",
  "resume",
  "offline",
  "online",
  "retry",
  "wait",
] as const;

type Step =
  | { readonly kind: (typeof STEPS)[number]; readonly ms: number }
  | { readonly kind: "drop" | "closing"; readonly code: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom(...STEPS), ms: fc.integer({ min: 1, max: 40_000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("drop", "closing"), code: fc.constantFrom(...AGAIN) }),
  },
);
const finalStep = fc.record({ kind: fc.constantFrom("drop", "closing"), code: fc.constantFrom(...FINAL) });

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/** A machine in which time passes synchronously: reconnecting awaits no promise. */
function machineOf(seed: number) {
  const timers = new Set<Timer>();
  const sockets: FakeSocket[] = [];
  const attention = createStore<Attention>(() => ({ isAttended: true, isVisible: true, isOnline: true }));
  const wakers: (() => void)[] = [];
  let [now, draws, ids] = [1_000_000, seed, 0];
  const live = (): readonly FakeSocket[] =>
    sockets.filter(({ readyState, closedWith }) => readyState !== 3 && closedWith === null);
  const wait = (ms: number): void => {
    const end = now + ms;
    for (;;) {
      const next = [...timers].filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due)[0];
      if (!next) break;
      timers.delete(next);
      now = Math.max(now, next.due);
      next.run();
    }
    now = end;
  };
  const failures: string[] = [];
  const connection = createConnection({
    platform: {
      kind: "web",
      deviceName: "Test",
      now: () => now,
      newId: () => `id-${(ids += 1)}`,
      random: () => (draws = (draws * 16_807) % 2_147_483_647) / 2_147_483_647,
      later: (ms, run) => {
        const timer = { due: now + ms, run };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
      openSocket: (url): Socket => {
        const socket = new FakeSocket(url);
        sockets.push(socket);
        expect(live()).toHaveLength(1);
        return socket;
      },
      attention,
      onResume: (listener) => {
        wakers.push(listener);
        return () => undefined;
      },
    },
    url: "http://home.example",
    instanceId: () => "instance",
    credentials: () => ADA,
    onAuthFailure: (_token, reason) => void failures.push(reason),
  });
  connection.open();
  return {
    connection,
    sockets,
    live,
    wait,
    now: () => now,
    attention,
    failures,
    resume: () => wakers.forEach((wake) => wake()),
  };
}

type Machine = ReturnType<typeof machineOf>;

const says = (machine: Machine, message: object): void => machine.live()[0]?.receive(message);

const identified = {
  type: "identified",
  oderId: ADA.userId,
  displayName: "Ada",
  connectionId: "c",
  clientInstanceId: "instance",
  connectionScope: null,
  sessionExpiresAt: 1,
  serverTime: 1_000_000,
  heartbeatMs: 25_000,
  limits: TEST_LIMITS,
};

function take(machine: Machine, taken: Step): void {
  const [socket] = machine.live();
  switch (taken.kind) {
    case "open":
      if (socket?.readyState === 0) socket.open();
      return;
    case "identified":
      return says(machine, identified);
    case "trouble":
      return says(machine, { type: "error", code: "UNAVAILABLE", message: "", retryable: true });
    case "drain":
      return says(machine, { type: "server_draining", retryInMs: taken.ms });
    case "resume":
      return machine.resume();
    case "offline":
      return machine.attention.setState({ isOnline: false });
    case "online":
      return machine.attention.setState({ isOnline: true });
    case "retry":
      return machine.connection.retryNow();
    case "wait":
      return machine.wait(taken.ms);
    case "drop":
      return socket?.drop(taken.code);
    case "closing":
      return says(machine, {
        type: "closing",
        closeCode: taken.code,
        reason: "said",
        message: "",
        reconnect: taken.code < 4500,
      });
  }
}

/** Brings it online from any state. */
function recover(machine: Machine): void {
  for (let round = 0; round < 3 && machine.connection.state.getState().status !== "online"; round += 1) {
    const { retryAt } = machine.connection.state.getState();
    if (retryAt !== null) machine.wait(retryAt - machine.now());
    const [socket] = machine.live();
    if (socket?.readyState === 0) socket.open();
    says(machine, identified);
  }
}

describe("the reconnecting machine", () => {
  it(`CL6 has at most one socket and always recovers, over ${RUNS} seeded runs of drops, sleeps and failures`, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 2 ** 30 }), (steps, seed) => {
        const machine = machineOf(seed);
        for (const taken of steps) take(machine, taken);
        expect(machine.connection.state.getState().status).not.toBe("ended");
        recover(machine);
        expect(machine.connection.state.getState()).toMatchObject({ status: "online", offlineSince: null });
        expect(machine.failures).toEqual([]);
      }),
      { numRuns: RUNS, seed: 20_261 },
    );
  });

  it(`WS14 never dials again after a code that forbids it, over ${RUNS} seeded runs`, () => {
    const after = fc.array(step, { maxLength: 15 });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), finalStep, after, (steps, end, later) => {
        const machine = machineOf(1);
        for (const taken of steps) take(machine, taken);
        recover(machine);
        take(machine, end);
        const dialled = machine.sockets.length;
        // Only the user may ask for it.
        for (const taken of later) if (taken.kind !== "retry") take(machine, taken);
        machine.wait(3_600_000);
        expect([machine.sockets.length, machine.live().length]).toEqual([dialled, 0]);
        expect(machine.connection.state.getState()).toMatchObject({ status: "ended", retryAt: null });
        const isAuth = end.code === 4501 || end.code === 4502;
        expect(machine.failures).toHaveLength(isAuth ? 1 : 0);
      }),
      { numRuns: RUNS, seed: 20_262 },
    );
  });
});
