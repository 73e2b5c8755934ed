import type { Credential } from "@hearth/contracts";
import { expect } from "@jest/globals";
import { call, type CallOptions } from "../client/index.ts";

/** What every secret of a story begins with, so that one search finds them all. */
export const MARK = "m4rk3r";

export const secret = (name: string): string => `${MARK}-${name}-${crypto.randomUUID()}`;

/** Tells a server secrets, and keeps what it answers in trouble and which tokens it gave out. */
export class Told {
  readonly server: { readonly url: string };
  /** Answers that refuse something. */
  readonly bodies: string[] = [];
  readonly tokens: string[] = [];

  constructor(server: { readonly url: string }) {
    this.server = server;
  }

  async say(method: string, path: string, options: CallOptions = {}) {
    const answer = await call(this.server.url, method, path, options);
    if (answer.status >= 400) this.bodies.push(JSON.stringify(answer.body));
    return answer;
  }

  async enrol(username: string, password: string): Promise<Credential> {
    const answer = await this.say("POST", "/api/users/register", { body: { username, password } });
    expect(answer.status).toBe(201);
    this.tokens.push((answer.body as Credential).token);
    return answer.body as Credential;
  }
}
