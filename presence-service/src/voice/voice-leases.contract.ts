import { beforeEach, describe, expect, it } from "@jest/globals";
import type { ClaimOutcome, GrantedClaim, VoiceClaim, VoiceLeases } from "./voice-leases.ts";

/** The leases that a factory of the contract provides. */
export interface VoiceLeasesUnderTest {
  /** Leases that last {@link LEASE_MS} without a renewal. */
  readonly leases: VoiceLeases;
  /** The same cluster from another node; may be the same object for a twin without a network. */
  readonly elsewhere: VoiceLeases;
  /** Restarts everything. The leases may be lost. */
  readonly reopen: () => Promise<VoiceLeases>;
  /** Lets time pass for the leases, by moving their clock or by waiting. */
  readonly pass: (ms: number) => Promise<void>;
}

/** How long the leases under test last without a renewal. */
export const LEASE_MS = 1_000;

const GRACE_MS = 1_500;
const ROUNDS = 50;
const LAPTOP = { oderId: "user-1", clientInstanceId: "laptop", connectionId: "connection-1" };
const PHONE = { oderId: "user-1", clientInstanceId: "phone", connectionId: "connection-2" };
const CHANNEL = { serverId: "server-1", channelId: "channel-1" };

const granted = (outcome: ClaimOutcome | null): GrantedClaim => {
  if (outcome?.outcome === "granted") return outcome;
  throw new Error(`Not granted: ${outcome?.outcome ?? "no lease"}`);
};

/** The suite that every twin of the voice leases passes. */
export function describeVoiceLeasesContract(
  name: string,
  factory: () => Promise<VoiceLeasesUnderTest>,
): void {
  let leases: VoiceLeases;
  let elsewhere: VoiceLeases;
  let reopen: () => Promise<VoiceLeases>;
  let pass: (ms: number) => Promise<void>;

  const claim = async (given: Partial<VoiceClaim> = {}): Promise<GrantedClaim> =>
    granted(await leases.claim({ ...LAPTOP, ...CHANNEL, ...given }));

  beforeEach(async () => {
    ({ leases, elsewhere, reopen, pass } = await factory());
  });

  describe(`${name} grants voice`, () => {
    it("VO1 to the first device that claims it, and tells others the owner", async () => {
      const { lease, previous } = await claim({ muted: true });
      expect(lease).toMatchObject({ ...LAPTOP, ...CHANNEL, muted: true, deafened: false });
      expect(previous).toBeNull();
      expect(await elsewhere.claim({ ...PHONE, ...CHANNEL })).toEqual({ outcome: "not_owner", lease });
      expect(await elsewhere.get("user-1")).toEqual(lease);
      expect(await leases.get("user-2")).toBeNull();
    });

    it("VO1 to its owner again, in another channel and state, under the same fence", async () => {
      const first = (await claim({ muted: true })).lease;
      const { lease, previous } = await claim({
        serverId: "server-2",
        channelId: "channel-2",
        deafened: true,
      });
      expect(previous).toEqual(first);
      expect(lease).toMatchObject({ serverId: "server-2", muted: true, deafened: true, fence: first.fence });
      expect(await leases.inServer("server-1")).toEqual([]);
      expect(await elsewhere.inServer("server-2")).toEqual([lease]);
    });

    it("VO1 to exactly one of several simultaneous claims", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const oderId = `user-${round}`;
        const outcomes = await Promise.all(
          ["a", "b", "c", "d"].map((clientInstanceId, at) =>
            (at % 2 ? leases : elsewhere).claim({ ...LAPTOP, ...CHANNEL, oderId, clientInstanceId }),
          ),
        );
        expect(outcomes.filter(({ outcome }) => outcome === "granted")).toHaveLength(1);
        const owners = outcomes.map(({ lease }) => lease.clientInstanceId);
        expect(new Set(owners).size).toBe(1);
      }
    });

    it("VO1 to each user separately", async () => {
      await claim();
      await expect(claim({ oderId: "user-2", clientInstanceId: "phone" })).resolves.toMatchObject({
        previous: null,
      });
      expect(await leases.inServer("server-1")).toHaveLength(2);
    });
  });

  describe(`${name} moves voice`, () => {
    it("VO2 to the device that takes it over, in its channel, under a higher fence", async () => {
      const { lease: first } = await claim({ muted: true });
      const { lease, previous } = granted(await elsewhere.takeOver(PHONE));
      expect(previous).toEqual(first);
      expect(lease).toMatchObject({ ...PHONE, ...CHANNEL, muted: true });
      expect(lease.fence).toBeGreaterThan(first.fence);
    });

    it("VO2 to the channel that the takeover names", async () => {
      await claim();
      const channel = { serverId: "server-2", channelId: "channel-2" };
      expect(granted(await leases.takeOver({ ...PHONE, channel })).lease).toMatchObject({
        ...PHONE,
        ...channel,
      });
    });

    it("VO2 without an owner only if the takeover names a channel", async () => {
      expect(await leases.takeOver(PHONE)).toBeNull();
      const { lease, previous } = granted(await leases.takeOver({ ...PHONE, channel: CHANNEL }));
      expect([lease.clientInstanceId, previous]).toEqual(["phone", null]);
    });

    it("VO2 not under an older fence, neither by a claim nor by a takeover", async () => {
      const { lease: first } = await claim();
      const { lease } = granted(await leases.takeOver(PHONE));
      const { fence } = first;
      expect(await leases.claim({ ...LAPTOP, ...CHANNEL, fence })).toEqual({ outcome: "stale", lease });
      expect(await elsewhere.takeOver({ ...LAPTOP, fence })).toEqual({ outcome: "stale", lease });
      expect(granted(await leases.takeOver({ ...LAPTOP, fence: lease.fence })).previous).toEqual(lease);
    });

    it("VO2 keeps the fence if its owner takes it over from itself", async () => {
      const { lease } = await claim();
      expect(granted(await leases.takeOver(LAPTOP)).lease.fence).toBe(lease.fence);
    });

    it("VO2 X8 simultaneous takeovers get a fence each, and the highest owns it", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const oderId = `user-${round}`;
        await claim({ oderId });
        const outcomes = await Promise.all(
          ["a", "b", "c"].map((clientInstanceId, at) =>
            (at % 2 ? leases : elsewhere).takeOver({ ...PHONE, oderId, clientInstanceId }),
          ),
        );
        const taken = outcomes.map((outcome) => granted(outcome).lease);
        expect(new Set(taken.map(({ fence }) => fence)).size).toBe(3);
        const highest = taken.reduce((one, other) => (other.fence > one.fence ? other : one));
        expect((await leases.get(oderId))?.clientInstanceId).toBe(highest.clientInstanceId);
      }
    });

    it("VO2 every announced change has a higher version, whichever device makes it, and no other change has one", async () => {
      const versions: (number | undefined)[] = [];
      for (let n = 0; n < 3; n++) {
        versions.push((await claim()).lease.version, (await claim({ muted: true })).lease.version);
        versions.push(granted(await elsewhere.takeOver(PHONE)).lease.version);
        await leases.attach("user-1", "phone", "connection-9");
        await leases.renew("user-1", "connection-9");
        expect((await leases.get("user-1"))?.version).toBe(versions.at(-1));
        if (n === 0) versions.push((await elsewhere.release("user-1", {}))?.version);
        else {
          await leases.detach("user-1", "connection-9", 0);
          versions.push((await leases.expire())[0]?.version);
        }
      }
      expect(versions).toEqual([...new Set(versions)].sort((a, b) => Number(a) - Number(b)));
    });

    it("VO1 fences grow beyond the end of a lease, and across a restart", async () => {
      const fences: number[] = [];
      for (let n = 0; n < 3; n++) {
        fences.push((await claim()).lease.fence);
        await leases.release("user-1", {});
      }
      await pass(1);
      leases = await reopen();
      fences.push((await claim({ clientInstanceId: "phone" })).lease.fence);
      expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
    });
  });

  describe(`${name} ends voice`, () => {
    it.each([
      ["anything", {}, true],
      ["its device", { clientInstanceId: "laptop" }, true],
      ["another device", { clientInstanceId: "phone" }, false],
      ["its server", { serverId: "server-1" }, true],
      ["another server", { serverId: "server-2" }, false],
      ["its device elsewhere", { clientInstanceId: "laptop", serverId: "server-2" }, false],
    ])("VO1 if the condition is %s", async (_, condition, ends) => {
      const { lease } = await claim();
      const version = expect.any(Number);
      expect(await elsewhere.release("user-1", condition)).toEqual(ends ? { ...lease, version } : null);
      expect(await leases.get("user-1")).toEqual(ends ? null : lease);
    });

    it("VO1 once, however many callers release it", async () => {
      await claim();
      const released = await Promise.all([leases.release("user-1", {}), elsewhere.release("user-1", {})]);
      expect(released.filter((lease) => lease !== null)).toHaveLength(1);
    });

    it("VO3 after the grace period of a closed connection", async () => {
      await claim();
      await leases.detach("user-1", "connection-1", GRACE_MS);
      expect((await leases.get("user-1"))?.connectionId).toBeNull();
      await pass(GRACE_MS - 300);
      expect(await leases.expire()).toEqual([]);
      await pass(400);
      expect(await elsewhere.expire()).toMatchObject([{ oderId: "user-1", clientInstanceId: "laptop" }]);
      expect(await leases.get("user-1")).toBeNull();
    });

    it("VO3 not if the device comes back on another connection", async () => {
      const { lease } = await claim();
      await leases.detach("user-1", "connection-1", GRACE_MS);
      await pass(GRACE_MS - 300);
      const back = await elsewhere.attach("user-1", "laptop", "connection-9");
      expect(back).toMatchObject({ connectionId: "connection-9", fence: lease.fence });
      await pass(400);
      expect(await leases.expire()).toEqual([]);
    });

    it("VO3 not by another connection's end, and another device does not take it back", async () => {
      const { lease } = await claim();
      expect(await leases.attach("user-1", "phone", "connection-2")).toEqual(lease);
      expect(await leases.attach("user-2", "laptop", "connection-2")).toBeNull();
      await leases.detach("user-1", "connection-2", 0);
      expect(await leases.expire()).toEqual([]);
    });

    it("VO3 not by the late end of the old connection after the device came back", async () => {
      await claim();
      await leases.attach("user-1", "laptop", "connection-9");
      await leases.detach("user-1", "connection-1", 0);
      expect(await leases.expire()).toEqual([]);
      expect((await leases.get("user-1"))?.connectionId).toBe("connection-9");
    });

    it("VO3 if nobody renews it, as after the death of a node", async () => {
      await claim();
      await pass(LEASE_MS - 300);
      expect(await elsewhere.renew("user-1", "connection-1")).toBe(true);
      await pass(LEASE_MS - 300);
      expect(await leases.expire()).toEqual([]);
      await pass(400);
      expect(await leases.expire()).toMatchObject([{ oderId: "user-1" }]);
    });

    it("VO3 is not renewed by a connection that does not own it", async () => {
      await claim();
      expect(await leases.renew("user-1", "connection-2")).toBe(false);
      expect(await leases.renew("user-2", "connection-1")).toBe(false);
      await leases.detach("user-1", "connection-1", GRACE_MS);
      expect(await leases.renew("user-1", "connection-1")).toBe(false);
    });

    it("VO3 only when a caller learns of its end", async () => {
      const { lease } = await claim();
      await pass(LEASE_MS + 100);
      expect(await leases.get("user-1")).toEqual(lease);
      expect(await elsewhere.claim({ ...PHONE, ...CHANNEL })).toMatchObject({ outcome: "not_owner" });
      expect(await leases.attach("user-1", "laptop", "connection-9")).toMatchObject({ fence: lease.fence });
      expect(await leases.expire()).toEqual([]);
    });

    it("VO3 and returns each end to one caller only", async () => {
      for (let n = 0; n < 20; n++) await claim({ oderId: `user-${n}` });
      await pass(LEASE_MS + 100);
      const ended = (await Promise.all([leases.expire(), elsewhere.expire(), leases.expire()])).flat();
      expect(ended).toHaveLength(20);
      expect(new Set(ended.map(({ oderId }) => oderId)).size).toBe(20);
    });
  });
}
