import { beforeEach, describe, expect, it } from "@jest/globals";
import { createFakeClock } from "../testing/fake-clock.ts";
import type { FakeClock } from "../testing/fake-clock.ts";
import { createResponderElection } from "./responder-election.ts";
import type { ResponderElection } from "./responder-election.ts";
import type { CheckedRequest } from "./payloads/payload-schemas.ts";
import type { SnapshotTarget } from "./snapshots/snapshot-sender.ts";

const request = (fields: Partial<CheckedRequest> = {}): CheckedRequest => ({
  ...{ to: null, store: "store-phone", device: "Phone", known: {}, have: [], heard: [] },
  ...fields,
});

describe("the election of the responder to a device that came online", () => {
  let clock: FakeClock;
  let started: SnapshotTarget[];
  let newcomers: string[];
  let tabs: string[];
  let election: ResponderElection;
  const online = (responder: boolean): void =>
    election.peerOnline({ clientInstanceId: "phone", device: "Phone", responder });
  beforeEach(() => {
    clock = createFakeClock();
    started = [];
    newcomers = [];
    tabs = [];
    election = createResponderElection({
      platform: { now: () => clock.now(), later: (ms, run) => clock.later(ms, run), random: () => 0.5 },
      me: "laptop",
      storeId: "store-laptop",
      isHere: async (id) => tabs.includes(id),
      start: (target) => void started.push(target),
      onNewcomer: (id) => void newcomers.push(id),
    });
  });

  it("chooses the responder, as soon as it knows what is missing", async () => {
    online(true);
    await clock.advance(300);
    expect(started).toEqual([]);
    election.request("phone", request());
    expect(started).toEqual([{ clientInstanceId: "phone", device: "Phone", request: request() }]);
    await clock.advance(10_000);
    expect(started).toHaveLength(1);
    expect(newcomers).toEqual(["phone"]);
  });

  it("chooses the responder whose notice follows the request", async () => {
    election.request("phone", request());
    online(true);
    expect(started).toHaveLength(1);
  });

  it("chooses the responder after 700 ms, with everything", async () => {
    online(true);
    await clock.advance(699);
    expect(started).toEqual([]);
    await clock.advance(1);
    expect(started).toEqual([{ clientInstanceId: "phone", device: "Phone", request: null }]);
  });

  it("chooses nobody for a tab of the same browser", async () => {
    tabs.push("phone");
    online(true);
    await clock.advance(10_000);
    election.request("phone", request({ store: "store-laptop" }));
    await clock.advance(10_000);
    expect(started).toEqual([]);
    expect(newcomers).toEqual([]);
  });

  it("chooses another device if nobody began", async () => {
    online(false);
    election.request("phone", request());
    await clock.advance(3_700);
    expect(started).toEqual([]);
    await clock.advance(100);
    expect(started).toHaveLength(1);
  });

  it("chooses no other device if one began", async () => {
    online(false);
    election.request("phone", request());
    await clock.advance(1_000);
    election.snapshotBegan("phone", "store-phone");
    await clock.advance(10_000);
    expect(started).toEqual([]);
  });

  it("chooses nobody again for a second tab of the same browser", async () => {
    election.request("phone", request());
    election.snapshotBegan("phone", "store-phone");
    election.request("phone-tab", request());
    await clock.advance(10_000);
    expect(started).toEqual([]);
  });

  it("chooses the requested device, or another one if that is offline", async () => {
    election.request("phone", request({ to: "laptop" }));
    expect(started).toHaveLength(1);
    election.request("tablet", request({ to: "desk", store: "store-tablet" }));
    await clock.advance(10_000);
    expect(started.map(({ clientInstanceId }) => clientInstanceId)).toEqual(["phone", "tablet"]);
    expect(newcomers).toEqual([]);
  });

  it("ignores requests of an earlier connection", async () => {
    election.request("phone", request());
    election.snapshotBegan("phone", "store-phone");
    await clock.advance(20_000);
    online(true);
    expect(started).toEqual([]);
    election.request("phone", request({ known: { "store-laptop": 7 } }));
    expect(started).toMatchObject([{ request: { known: { "store-laptop": 7 } } }]);
  });

  it("stops with the session", async () => {
    online(true);
    election.request("tablet", request({ to: "desk", store: "store-tablet" }));
    election.stop();
    await clock.advance(10_000);
    expect(started).toEqual([]);
  });
});
