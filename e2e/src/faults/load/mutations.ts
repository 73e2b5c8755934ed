import type { Credential, Server } from "@hearth/contracts";
import { until } from "@hearth/runtime/testing/until";
import { setTimeout as pause } from "node:timers/promises";
import { freshName, PASSWORD } from "../../client/rest.ts";
import type { Ledger } from "../ledger.ts";
import { type Asker, ask } from "./requests.ts";

/** Whether an acknowledged mutation exists; `null` when it could not be checked. */
type Look = () => Promise<boolean | null>;

/** Writes over REST, each with a later check that it was kept. */
export class Mutations {
  private readonly url: () => string;
  private readonly ledger: Ledger;
  private readonly owner: Asker;
  private readonly looks = new Map<string, Look>();
  private renamed: string | undefined;
  private renames = 0;
  private latestRename = 0;

  constructor(url: () => string, ledger: Ledger, owner: Asker) {
    this.url = url;
    this.ledger = ledger;
    this.owner = owner;
  }

  get accepted(): number {
    return this.looks.size;
  }

  /** Creates a server. */
  async create(): Promise<void> {
    const name = freshName("Made");
    const { status, body } = await this.asOwner<Server>("POST /api/servers", { name });
    if (status !== 201) return;
    this.renamed ??= body.id;
    this.accept(`create ${name}`, async () => {
      const seen = await this.asOwner<Server>(`GET /api/servers/${body.id}`);
      return seen.status === 0 || seen.status >= 500 ? null : seen.status === 200;
    });
  }

  /** Renames the first server; an older name must never return. */
  async rename(): Promise<void> {
    const id = this.renamed;
    if (id === undefined) return;
    this.renames += 1;
    const place = this.renames;
    const { status } = await this.asOwner<Server>(`PUT /api/servers/${id}`, { name: `Renamed ${place}` });
    if (status !== 200) return;
    this.latestRename = place;
    this.accept("rename", async () => {
      const seen = await this.asOwner<Server>(`GET /api/servers/${id}`);
      if (seen.status === 0 || seen.status >= 500) return null;
      return seen.status === 200 && Number(seen.body.name.split(" ")[1]) >= place;
    });
  }

  /**
   * Resolves when a rename that starts after this call is accepted: a dead process's lock no longer blocks it (I16).
   */
  async settled(limitMs: number): Promise<void> {
    const from = this.renames;
    await until(
      () => this.latestRename > from,
      limitMs,
      () => "no change is accepted",
    );
  }

  /** Registers an account and retries on failures; a name that is then taken is its own. */
  async register(goesOn: () => boolean): Promise<void> {
    const username = freshName("fault");
    for (let tries = 0; ; tries += 1) {
      const { status } = await ask<Credential>(this.ledger, this.url(), "POST /api/users/register", {
        body: { username, password: PASSWORD },
      });
      const isThere = status === 201 || (status === 409 && tries > 0);
      if (isThere) this.accept(`register ${username}`, () => this.canLogIn(username));
      if (isThere || !goesOn()) return;
      await pause(200);
    }
  }

  /** Checks everything that was acknowledged, and retries on failures. */
  async verify(): Promise<void> {
    for (const [mutation, look] of this.looks) {
      let seen: boolean | null = null;
      for (let tries = 0; seen === null && tries < 20; tries += 1) {
        seen = await look();
        if (seen === null) await pause(200);
      }
      this.ledger.note({ kind: seen === true ? "kept" : "lost", mutation });
    }
  }

  private async canLogIn(username: string): Promise<boolean | null> {
    const body = { username, password: PASSWORD };
    const { status } = await ask(this.ledger, this.url(), "POST /api/users/login", { body });
    return status === 0 || status >= 500 ? null : status === 200;
  }

  private accept(mutation: string, look: Look): void {
    this.looks.set(mutation, look);
    this.ledger.note({ kind: "accepted", mutation });
  }

  private asOwner<Body>(request: Parameters<typeof ask>[2], body?: unknown) {
    const { token, session } = this.owner;
    return ask<Body>(this.ledger, this.url(), request, {
      token,
      session,
      ...(body !== undefined && { body }),
    });
  }
}
