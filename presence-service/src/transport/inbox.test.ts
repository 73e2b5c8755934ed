import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { InboundMessage } from "./connection.ts";
import { Inbox, type Reader } from "./inbox.ts";
import { SeededRandom } from "../testing/random.ts";

const message = (number: number): InboundMessage => ({ body: { number }, bytes: 10 });

const numberOf = ({ body }: InboundMessage): number => Number(body["number"]);

class Log implements Reader {
  readonly events: string[] = [];
  readonly errors: unknown[] = [];
  waiting = 0;
  idles = 0;
  work: (number: number) => Promise<void> | void = () => undefined;
  isBeside: (number: number) => boolean = () => false;

  handle(given: InboundMessage): Promise<void> | void {
    const number = numberOf(given);
    this.events.push(`start ${number}`);
    const pending = this.work(number);
    if (pending) return pending.finally(() => this.events.push(`end ${number}`));
    this.events.push(`end ${number}`);
  }

  overlaps(given: InboundMessage): boolean {
    return this.isBeside(numberOf(given));
  }

  failed(error: unknown): void {
    this.errors.push(error);
  }

  idle(): void {
    this.idles += 1;
  }

  queued(change: number): void {
    this.waiting += change;
  }
}

const inOrder = (count: number): string[] =>
  Array.from({ length: count }, (_, number) => [`start ${number}`, `end ${number}`]).flat();

describe("WS2 the inbox of a connection", () => {
  it("handles a message in the same turn if no other is pending", () => {
    const log = new Log();
    const inbox = new Inbox(log);
    for (let number = 0; number < 3; number += 1) inbox.push(message(number));
    expect(log.events).toEqual(inOrder(3));
    expect(inbox.isIdle).toBe(true);
  });

  it("WS2 never starts a message before the one ahead of it has ended, whatever each takes", async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = new SeededRandom(seed);
      const log = new Log();
      log.work = (number) => {
        const kind = random.below(5);
        if (kind === 0) return undefined;
        if (kind === 1) return Promise.resolve();
        if (kind === 2) return Promise.reject(new Error(String(number)));
        if (kind === 3) throw new Error(String(number));
        return turn();
      };
      const inbox = new Inbox(log);
      let pushed = 0;
      while (pushed < 30) {
        inbox.push(message(pushed));
        pushed += 1;
        if (random.chance(0.2)) await turn();
      }
      while (!inbox.isIdle) await turn();
      const ended = log.events.filter((event) => event.startsWith("start"));
      expect(ended).toEqual(Array.from({ length: 30 }, (_, number) => `start ${number}`));
      log.events.forEach((event, at) => {
        if (!event.startsWith("end")) return;
        expect(log.events[at - 1]).toBe(event.replace("end", "start"));
      });
      expect(log.waiting).toBe(0);
    }
  });

  it("WS2 begins messages that overlap in arrival order, and none beside one that does not overlap", async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = new SeededRandom(seed);
      const log = new Log();
      const beside = Array.from({ length: 30 }, () => random.chance(0.7));
      log.isBeside = (number) => beside[number] ?? false;
      log.work = async () => {
        for (let turns = random.below(4); turns > 0; turns -= 1) await turn();
        if (random.chance(0.1)) throw new Error("failed");
      };
      const inbox = new Inbox(log);
      for (let pushed = 0; pushed < 30; pushed += 1) {
        inbox.push(message(pushed));
        if (random.chance(0.2)) await turn();
      }
      while (!inbox.isIdle) await turn();
      const begun = log.events.filter((event) => event.startsWith("start"));
      expect(begun).toEqual(Array.from({ length: 30 }, (_, number) => `start ${number}`));
      const open = new Set<number>();
      for (const event of log.events) {
        const number = Number(event.split(" ")[1]);
        if (event.startsWith("end")) open.delete(number);
        else {
          if (open.size > 0) expect([...open, number].every((each) => beside[each])).toBe(true);
          open.add(number);
        }
      }
      expect(log.idles).toBeGreaterThan(0);
      expect(log.waiting).toBe(0);
    }
  });

  it("WS2 lets an overlapping message begin before the end of another, and is idle when all have ended", async () => {
    const log = new Log();
    const releases: (() => void)[] = [];
    log.isBeside = (number) => number < 3;
    log.work = () => new Promise((resolve) => void releases.push(resolve));
    const inbox = new Inbox(log);
    for (let number = 0; number < 4; number += 1) inbox.push(message(number));
    expect(log.events).toEqual(["start 0", "start 1", "start 2"]);
    releases[1]?.();
    releases[0]?.();
    await turn();
    expect([log.events.at(-1), inbox.isIdle, log.idles]).toEqual(["end 0", false, 0]);
    releases[2]?.();
    await turn();
    expect(log.events.at(-1)).toBe("start 3");
    releases[3]?.();
    await turn();
    expect([inbox.isIdle, log.idles]).toEqual([true, 1]);
  });

  it("WS2 continues after a message that throws and one that rejects", async () => {
    const log = new Log();
    log.work = (number) => {
      if (number === 0) throw new Error("thrown");
      if (number === 1) return Promise.reject(new Error("rejected"));
      return undefined;
    };
    const inbox = new Inbox(log);
    for (let number = 0; number < 3; number += 1) inbox.push(message(number));
    await turn();
    expect(log.events.filter((event) => event.startsWith("start"))).toHaveLength(3);
    expect(log.errors).toEqual([new Error("thrown"), new Error("rejected")]);
    expect(log.idles).toBe(2);
  });

  it("counts the waiting messages, and drops them on request", async () => {
    const log = new Log();
    let release = (): void => undefined;
    log.work = (number) => (number === 0 ? new Promise((resolve) => (release = resolve)) : undefined);
    const inbox = new Inbox(log);
    for (let number = 0; number < 4; number += 1) inbox.push(message(number));
    expect([inbox.messages, inbox.bytes, log.waiting]).toEqual([3, 30, 3]);
    inbox.clear();
    expect([inbox.messages, inbox.bytes, log.waiting]).toEqual([0, 0, 0]);
    release();
    await turn();
    expect(log.events).toEqual(inOrder(1));
  });
});
