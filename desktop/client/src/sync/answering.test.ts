import { beforeEach, describe, expect, it } from "@jest/globals";
import { createFakeClock } from "../testing/fake-clock.ts";
import type { FakeClock } from "../testing/fake-clock.ts";
import { createAnswering } from "./answering.ts";
import type { Answering } from "./answering.ts";
import type { CheckedRequest } from "./payloads/payload-schemas.ts";
import type { SnapshotTarget } from "./snapshots/snapshot-sender.ts";

const request = (fields: Partial<CheckedRequest> = {}): CheckedRequest => ({
  ...{ to: null, store: "store-phone", device: "Phone", known: {}, have: [], heard: [] },
  ...fields,
});

describe("answering a device that came online", () => {
  let clock: FakeClock;
  let started: SnapshotTarget[];
  let newcomers: string[];
  let tabs: string[];
  let answering: Answering;
  const online = (responder: boolean): void =>
    answering.peerOnline({ clientInstanceId: "phone", device: "Phone", responder });
  beforeEach(() => {
    clock = createFakeClock();
    started = [];
    newcomers = [];
    tabs = [];
    answering = createAnswering({
      platform: { now: () => clock.now(), later: (ms, run) => clock.later(ms, run), random: () => 0.5 },
      me: "laptop",
      storeId: "store-laptop",
      isHere: async (id) => tabs.includes(id),
      start: (target) => void started.push(target),
      onNewcomer: (id) => void newcomers.push(id),
    });
  });

  it("is up to the responder, as soon as it knows what is missing", async () => {
    online(true);
    await clock.advance(300);
    expect(started).toEqual([]);
    answering.request("phone", request());
    expect(started).toEqual([{ clientInstanceId: "phone", device: "Phone", request: request() }]);
    await clock.advance(10_000);
    expect(started).toHaveLength(1);
    expect(newcomers).toEqual(["phone"]);
  });

  it("is up to the responder whose notice follows the request", async () => {
    answering.request("phone", request());
    online(true);
    expect(started).toHaveLength(1);
  });

  it("is up to the responder after 700 ms, with everything", async () => {
    online(true);
    await clock.advance(699);
    expect(started).toEqual([]);
    await clock.advance(1);
    expect(started).toEqual([{ clientInstanceId: "phone", device: "Phone", request: null }]);
  });

  it("is not needed for a tab of the same browser", async () => {
    tabs.push("phone");
    online(true);
    await clock.advance(10_000);
    answering.request("phone", request({ store: "store-laptop" }));
    await clock.advance(10_000);
    expect(started).toEqual([]);
    expect(newcomers).toEqual([]);
  });

  it("is up to another device if nobody began", async () => {
    online(false);
    answering.request("phone", request());
    await clock.advance(3_700);
    expect(started).toEqual([]);
    await clock.advance(100);
    expect(started).toHaveLength(1);
  });

  it("is not up to another device if somebody began", async () => {
    online(false);
    answering.request("phone", request());
    await clock.advance(1_000);
    answering.begun("phone", "store-phone");
    await clock.advance(10_000);
    expect(started).toEqual([]);
  });

  it("is not repeated for a second tab of the same browser", async () => {
    answering.request("phone", request());
    answering.begun("phone", "store-phone");
    answering.request("phone-tab", request());
    await clock.advance(10_000);
    expect(started).toEqual([]);
  });

  it("is up to the requested device, and to another one if that is gone", async () => {
    answering.request("phone", request({ to: "laptop" }));
    expect(started).toHaveLength(1);
    answering.request("tablet", request({ to: "desk", store: "store-tablet" }));
    await clock.advance(10_000);
    expect(started.map(({ clientInstanceId }) => clientInstanceId)).toEqual(["phone", "tablet"]);
    expect(newcomers).toEqual([]);
  });

  it("ignores requests of an earlier connection", async () => {
    answering.request("phone", request());
    answering.begun("phone", "store-phone");
    await clock.advance(20_000);
    online(true);
    expect(started).toEqual([]);
    answering.request("phone", request({ known: { "store-laptop": 7 } }));
    expect(started).toMatchObject([{ request: { known: { "store-laptop": 7 } } }]);
  });

  it("stops with the session", async () => {
    online(true);
    answering.request("tablet", request({ to: "desk", store: "store-tablet" }));
    answering.stop();
    await clock.advance(10_000);
    expect(started).toEqual([]);
  });
});
