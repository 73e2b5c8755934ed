import { beforeEach, describe, expect, it } from "@jest/globals";
import { createReceivedSnapshots } from "./received-snapshots.ts";
import type { ReceivedSnapshots } from "./received-snapshots.ts";
import type { CheckedPayload } from "../payloads/payload-schemas.ts";
import { createFollower } from "./snapshot-follower.ts";
import type { Follower } from "./snapshot-follower.ts";

const begin = (since: number, except: string[] = []): CheckedPayload => ({
  ...{ type: "sync-begin", store: "s-laptop", toStore: "s-phone", device: "Laptop", since, except },
});
const room: CheckedPayload = { type: "saved-room-remove", roomId: "r" };
const end: CheckedPayload = { type: "sync-end", upTo: 500 };

describe("following a snapshot", () => {
  let receivedSnapshots: ReceivedSnapshots;
  let follower: Follower;
  let now: number;
  beforeEach(() => {
    now = 1_000;
    receivedSnapshots = createReceivedSnapshots();
    follower = createFollower(receivedSnapshots, "phone");
  });
  const step = (seq: number, payload: CheckedPayload | null, to = "phone", from = "laptop") =>
    follower.step({
      ...{ payload, from, now, known: (store: string) => (store === "s-laptop" ? 100 : 0) },
      mark: { id: "snapshot-1", to, seq, done: seq, total: 3 },
    });

  it("ends synced if nothing was left out", () => {
    expect(step(0, begin(100))).toBeNull();
    expect(follower.to("phone")).toMatchObject({ device: "Laptop", done: 0, total: 3 });
    expect(step(1, room)).toBeNull();
    expect(step(2, end)).toMatchObject({ upTo: 500, snapshot: { store: "s-laptop", isGapless: true } });
    expect(follower.to("phone")).toBeNull();
    expect(follower.receivesFrom("s-laptop", 1_000)).toBe(true);
    expect(follower.receivesFrom("s-laptop", 1_001)).toBe(false);
  });

  it("does not end synced if it begins after what is known", () => {
    step(0, begin(101));
    expect(follower.receivesFrom("s-laptop", 0)).toBe(false);
    expect(step(1, end)).toMatchObject({ snapshot: { isGapless: false } });
  });

  it("accepts repetitions and unknown payloads", () => {
    step(0, begin(0));
    step(1, room);
    step(0, begin(0));
    step(1, room);
    step(2, null);
    expect(step(3, end)).not.toBeNull();
  });

  it("is incomplete if a payload is missing, could not be stored, or came from another sender", () => {
    step(0, begin(0));
    step(2, room);
    expect(step(3, end)).toBeNull();
    step(0, begin(0));
    follower.fail({ id: "snapshot-1", to: "phone", seq: 1, done: 1, total: 3 });
    expect(step(1, end)).toBeNull();
    step(0, begin(0));
    expect(step(1, end, "phone", "tablet")).toBeNull();
    expect(step(1, end)).not.toBeNull();
    expect(step(1, end)).toBeNull();
  });

  it("helps other devices too, unless something was left out that only the requester has", () => {
    step(0, begin(50, ["snapshot-0"]), "desk");
    expect(step(1, end, "desk")).toMatchObject({ snapshot: { isGapless: false } });
    receivedSnapshots.note("snapshot-0", "digest");
    receivedSnapshots.close("snapshot-0");
    step(0, begin(50, ["snapshot-0"]), "desk");
    expect(step(1, end, "desk")).toMatchObject({ snapshot: { isGapless: true, to: "desk" } });
  });

  it("stops when nothing arrives any more", () => {
    step(0, begin(0));
    now = 40_000;
    expect(follower.dropStalled(900)).toEqual([]);
    expect(follower.dropStalled(10_000)).toMatchObject([{ to: "phone", from: "laptop" }]);
    expect(step(1, end)).toBeNull();
  });
});
