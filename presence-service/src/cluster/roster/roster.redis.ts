import type { UserStatus } from "@hearth/contracts";
import type { Redis } from "ioredis";
import { NotRegistered, redisCommand } from "../redis/script.redis.ts";
import type { RedisCommand } from "../redis/script.redis.ts";
import type {
  ConnectionRecord,
  Departure,
  Entry,
  Occupant,
  Registration,
  Renewal,
  Roster,
} from "./roster.ts";

const SCRIPT = new URL("roster.lua", import.meta.url);

/** How many connections of dead nodes one run of the script forgets. Redis serves nobody else meanwhile. */
const MAX_REAPED_AT_ONCE = 250;

const record = (text: string): ConnectionRecord => JSON.parse(text) as ConnectionRecord;

/** Splits the flat list that Lua returns into rows. */
function rows(flat: readonly string[], width: number): (readonly string[])[] {
  const found: (readonly string[])[] = [];
  for (let at = 0; at < flat.length; at += width) found.push(flat.slice(at, at + width));
  return found;
}

const departures = (flat: readonly string[]): Departure[] =>
  rows(flat, 3).map(([serverId = "", oderId = "", version]) => ({
    serverId,
    oderId,
    version: Number(version),
  }));

/**
 * The networked twin: every call is one operation of `roster.lua`, and so atomic for the whole cluster. Its data need not
 * survive a loss of Redis: a node that Redis does not know any more makes its clients connect again.
 */
export const createRedisRoster = (redis: Redis): Roster => new RedisRoster(redis);

class RedisRoster implements Roster {
  private readonly redis: Redis;
  private readonly command: RedisCommand;
  private served = false;
  /** Since then, Redis has not restarted and so lost nothing: a restart would have closed the connection. */
  private linkedSince = Infinity;

  constructor(redis: Redis) {
    this.redis = redis;
    const linked = (): void => void (this.linkedSince = performance.now());
    redis.on("ready", linked).on("close", () => (this.linkedSince = Infinity));
    if (redis.status === "ready") linked();
    const command = redisCommand(redis, SCRIPT);
    this.command = async (...args) => {
      try {
        const answer = await command(...args);
        this.served = true;
        return answer;
      } catch (error) {
        this.served = error instanceof NotRegistered;
        throw error;
      }
    };
  }

  get ready(): boolean {
    return this.served && this.redis.status === "ready";
  }

  async register(connection: ConnectionRecord, limit: number): Promise<Registration> {
    const [outcome, superseded, ...others] = await this.command(
      "register",
      JSON.stringify(connection),
      String(limit),
    );
    if (outcome === "full" || outcome === "superseded") return { outcome };
    return {
      outcome: "registered",
      superseded: superseded ? record(superseded) : null,
      others: others.map(record),
    };
  }

  async unregister(connectionId: string): Promise<readonly Departure[]> {
    return departures(await this.command("unregister", connectionId));
  }

  async enter(serverId: string, connectionId: string): Promise<Entry> {
    const [arrival, ...flat] = await this.command("enter", serverId, connectionId);
    const occupants = rows(flat, 5).map(
      ([oderId = "", username = "", displayName = "", status, text = ""]): Occupant => ({
        oderId,
        username,
        displayName,
        status: status as UserStatus,
        // A quotation mark precedes each text, so that an empty text differs from none.
        statusText: text === "" ? null : text.slice(1),
      }),
    );
    return { arrival: arrival ? Number(arrival) : null, occupants };
  }

  async leave(serverId: string, connectionId: string): Promise<Departure | null> {
    return departures(await this.command("leave", serverId, connectionId))[0] ?? null;
  }

  async setStatus(oderId: string, status: UserStatus, statusText: string | null): Promise<void> {
    await this.command("setStatus", oderId, status, statusText === null ? "0" : "1", statusText ?? "");
  }

  async setDisplayName(oderId: string, displayName: string): Promise<void> {
    await this.command("setDisplayName", oderId, displayName);
  }

  serversOf(oderId: string): Promise<readonly string[]> {
    return this.command("serversOf", oderId);
  }

  async online(serverIds: readonly string[]): Promise<Readonly<Record<string, number>>> {
    const counts = await this.command("online", ...serverIds);
    return Object.fromEntries(serverIds.map((serverId, at) => [serverId, Number(counts[at])]));
  }

  async renew(nodeId: string, ttlMs: number): Promise<Renewal> {
    const [known, alone, ...superseded] = await this.command("renew", nodeId, String(ttlMs));
    // Redis may have lost another node; within `ttlMs` that node renews itself.
    const remembers = performance.now() - this.linkedSince >= ttlMs;
    return { known: known === "1", alone: alone === "1" && remembers, superseded: superseded.map(record) };
  }

  async reap(): Promise<readonly Departure[]> {
    const all: Departure[] = [];
    for (;;) {
      try {
        const [isMore, ...flat] = await this.command("reap", String(MAX_REAPED_AT_ONCE));
        all.push(...departures(flat));
        if (isMore !== "1") return all;
      } catch (error) {
        // No other call returns the departures so far; the next call returns the rest.
        if (all.length === 0) throw error;
        return all;
      }
    }
  }
}
