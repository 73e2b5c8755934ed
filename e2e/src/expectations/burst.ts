import type { Credential, JoinedServer, Page, Server } from "@hearth/contracts";
import { expect } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { createServer, expectOk, PASSWORD } from "../client/index.ts";

/** The writes that a server acknowledged and must keep after it was killed. */
export class Ledger {
  readonly accounts: Credential[] = [];
  readonly servers: { readonly id: string; readonly name: string }[] = [];
  readonly joins: { readonly userToken: string; readonly serverId: string }[] = [];
  readonly names = new Map<string, string>();

  get size(): number {
    return this.accounts.length + this.servers.length + this.joins.length + this.names.size;
  }
}

/** Writes in independent lanes, as fast as the server responds, until it is gone. */
export class Burst {
  private readonly url: string;
  private readonly ledger: Ledger;
  private address = 0;

  constructor(url: string, ledger: Ledger) {
    this.url = url;
    this.ledger = ledger;
  }

  /** Resolves when every lane has noticed the end of the server. */
  async run(owner: Credential): Promise<void> {
    const lanes = [
      this.registers(),
      this.registers(),
      this.creations(owner),
      this.creations(owner),
      this.renames(owner),
    ];
    const outcomes = await Promise.allSettled([...lanes, this.joins(owner)]);
    for (const outcome of outcomes) {
      const met = outcome.status === "rejected" ? String(outcome.reason) : "no end";
      // The errors of fetch for a refused or cut connection, and the response of a stopping server.
      expect(met).toMatch(/fetch failed|terminated|other side closed|UNAVAILABLE/);
    }
  }

  /** Each from its own address, because another test covers the limit per address. */
  private async account(): Promise<Credential> {
    this.address += 1;
    return expectOk(this.url, "POST", "/api/users/register", {
      body: { username: `burst-${crypto.randomUUID().slice(0, 18)}`, password: PASSWORD },
      headers: { "x-forwarded-for": `198.51.${this.address >> 8}.${this.address & 255}` },
    });
  }

  private async registers(): Promise<never> {
    for (;;) this.ledger.accounts.push(await this.account());
  }

  private async creations(owner: Credential): Promise<never> {
    for (;;) {
      const name = `Burst ${crypto.randomUUID()}`;
      const { id } = await createServer(this.url, owner, { name });
      this.ledger.servers.push({ id, name });
    }
  }

  private async renames(owner: Credential): Promise<never> {
    const { id } = await createServer(this.url, owner, { name: "Renamed 0" });
    for (let count = 1; ; count += 1) {
      const name = `Renamed ${count}`;
      await expectOk(this.url, "PUT", `/api/servers/${id}`, { token: owner.token, body: { name } });
      this.ledger.names.set(id, name);
    }
  }

  private async joins(owner: Credential): Promise<never> {
    for (;;) {
      const { token } = await this.account();
      for (let joined = 0; joined < 25; joined += 1) {
        const { id } = await createServer(this.url, owner, { name: "To be joined" });
        await expectOk(this.url, "POST", `/api/servers/${id}/join`, { token, body: {} });
        this.ledger.joins.push({ userToken: token, serverId: id });
      }
    }
  }
}

/** The number of parallel checks: the test is about kept writes, not about load. */
const AT_ONCE = 32;

const checkEach = async <Item>(all: Iterable<Item>, check: (item: Item) => Promise<void>): Promise<void> => {
  const items = [...all].values();
  const lane = async (): Promise<void> => {
    for (const item of items) await check(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
};

/** Everything in the ledger is there. */
export const expectKept = async (url: string, { accounts, servers, joins, names }: Ledger): Promise<void> => {
  const serverAt = (id: string): Promise<Server> => expectOk(url, "GET", `/api/servers/${id}`);
  await checkEach(accounts, async ({ id, username, token }) => {
    expect(await expectOk(url, "GET", "/api/users/me", { token })).toMatchObject({ id, username });
  });
  await checkEach(servers, async ({ id, name }) => {
    expect(await serverAt(id)).toMatchObject({ id, name });
  });
  await checkEach(joins, async ({ userToken: token, serverId }) => {
    expect(await serverAt(serverId)).toMatchObject({ memberCount: 2 });
    const path = "/api/servers/mine?limit=100";
    const mine = await expectOk<Page<JoinedServer>>(url, "GET", path, { token });
    expect(mine.items.map(({ id }) => id)).toContain(serverId);
  });
  await checkEach(names, async ([id, name]) => {
    const { name: stored } = await serverAt(id);
    // The last write may have been made without an acknowledgement; an older value must not return.
    expect(Number(stored.split(" ")[1])).toBeGreaterThanOrEqual(Number(name.split(" ")[1]));
  });
};

/** Resolves when `count` more writes have been acknowledged. */
export const writes = async (ledger: Ledger, count: number): Promise<void> => {
  const target = ledger.size + count;
  await until(() => ledger.size >= target, 10_000);
};
