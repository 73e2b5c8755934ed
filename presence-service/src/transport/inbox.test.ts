import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { InboundMessage } from "./connection.ts";
import { Inbox, type Reader } from "./inbox.ts";
import { seeded } from "./testing/seeded.ts";

const message = (number: number): InboundMessage => ({ body: { number }, bytes: 10 });

const numberOf = ({ body }: InboundMessage): number => Number(body["number"]);

class Log implements Reader {
  readonly events: string[] = [];
  readonly errors: unknown[] = [];
  waiting = 0;
  idles = 0;
  work: (number: number) => Promise<void> | void = () => undefined;

  handle(given: InboundMessage): Promise<void> | void {
    const number = numberOf(given);
    this.events.push(`start ${number}`);
    const pending = this.work(number);
    if (pending) return pending.finally(() => this.events.push(`end ${number}`));
    this.events.push(`end ${number}`);
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
  it("handles a message at once, in the same turn, when nothing is under way", () => {
    const log = new Log();
    const inbox = new Inbox(log);
    for (let number = 0; number < 3; number += 1) inbox.push(message(number));
    expect(log.events).toEqual(inOrder(3));
    expect(inbox.isIdle).toBe(true);
  });

  it("WS2 never starts a message before the one ahead of it has ended, whatever each takes", async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = seeded(seed);
      const log = new Log();
      log.work = (number) => {
        const kind = Math.floor(random() * 5);
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
        if (random() < 0.2) await turn();
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

  it("WS2 goes on after a message that throws and one that rejects", async () => {
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

  it("counts what waits, and drops it when told to", async () => {
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
