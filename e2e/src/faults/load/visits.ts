import type { Credential } from "@hearth/contracts";
import { until } from "@hearth/runtime/testing/until";
import { PASSWORD } from "../../client/rest.ts";
import type { Load } from "./load.ts";
import { Participant } from "./participant.ts";
import { ask } from "./requests.ts";

const PATIENCE_MS = 3_000;

/** Short sessions during the load: log in, join, log out, disconnect (I4). */
export class Visits {
  private readonly load: Load;
  private count = 0;

  constructor(load: Load) {
    this.load = load;
  }

  async one(): Promise<void> {
    const { load } = this;
    const { ledger, url } = load.options;
    this.count += 1;
    const name = `visit ${this.count}`;
    const account = load.accounts[this.count % load.accounts.length];
    const body = { username: account?.username, password: PASSWORD };
    const { status, body: credential } = await ask<Credential>(
      ledger,
      load.restUrl(),
      "POST /api/users/login",
      { body },
    );
    if (status !== 200) return;
    const { random } = load;
    const options = {
      url,
      ledger,
      credential,
      session: name,
      device: name,
      rooms: load.rooms.slice(0, 1),
      random,
    };
    const visitor = new Participant({ ...options, door: random() < 0.5 ? "plain" : "socketio" });
    await until(() => visitor.present, PATIENCE_MS).catch(() => undefined);
    const { token } = credential;
    const left = await ask(ledger, load.restUrl(), "POST /api/users/logout", { token, session: name });
    if (left.status !== 204) ledger.note({ kind: "doubtful", session: name });
    else {
      ledger.note({ kind: "ended", session: name });
      await until(() => visitor.closeCodes.at(-1) === 4501, PATIENCE_MS).catch(() => undefined);
      await ask(ledger, load.restUrl(), "GET /api/users/me", { token, session: name });
    }
    visitor.leave();
  }
}
