import { serverRoutes } from "@hearth/contracts";
import type { DeviceRoom } from "@hearth/device";
import type { Incoming } from "../connection/connection.ts";
import type { Platform } from "../ports.ts";
import type { Rest } from "../rest/rest.ts";

const PAGE = 100;
/** How many pages of members are read. The list begins with those who joined first. */
const MAX_PAGES = 30;
const FRESH_MS = 10 * 60_000;
/** How long a server that did not answer is not asked again. */
const FAILED_MS = 30_000;

interface Known {
  readonly url: string;
  readonly people: Promise<Set<string>>;
  readonly until: number;
}

/** The moderators of a server, read from its instance when somebody removes a message of another user, and cached. */
export class Moderators {
  private readonly platform: Pick<Platform, "now">;
  private readonly rest: Pick<Rest, "call">;
  private readonly known = new Map<string, Known>();

  constructor({
    platform,
    rest,
  }: { readonly platform: Pick<Platform, "now">; readonly rest: Pick<Rest, "call"> }) {
    this.platform = platform;
    this.rest = rest;
  }

  /** Rejects if the instance cannot be asked. */
  async of({ id, signalServerUrl: url }: DeviceRoom): Promise<ReadonlySet<string>> {
    const known = this.known.get(id);
    if (known && known.until > this.platform.now()) return known.people;
    const now = this.platform.now();
    const people = this.ask(url, id);
    this.known.set(id, { url, people, until: now + FRESH_MS });
    people.catch(() => this.known.set(id, { url, people, until: now + FAILED_MS }));
    return people;
  }

  /** Updates cached roles from live messages. */
  update(url: string, message: Incoming): void {
    if (message.type !== "member_updated") return;
    const { serverId, userId, role } = message;
    const known = this.known.get(serverId);
    if (known?.url !== url) return;
    const note = (people: Set<string>): unknown =>
      role === "member" ? people.delete(userId) : people.add(userId);
    void known.people.then(note, () => undefined);
  }

  private async ask(url: string, roomId: string): Promise<Set<string>> {
    const people = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = { limit: PAGE, cursor };
      const { items, nextCursor } = await this.rest.call(url, serverRoutes.members, {
        params: { id: roomId },
        query,
      });
      for (const { userId, role } of items) if (role !== "member") people.add(userId);
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    return people;
  }
}
