import type { Credential } from "@hearth/contracts";
import { expect } from "@jest/globals";
import { call, type CallOptions } from "../client/index.ts";

/** The prefix of every secret of a story, so that one search finds them all. */
export const MARK = "m4rk3r";

export const secret = (name: string): string => `${MARK}-${name}-${crypto.randomUUID()}`;

/** Sends secrets to a server, and keeps its error responses and the tokens it issued. */
export class SecretSender {
  readonly server: { readonly url: string };
  /** Responses that are refusals. */
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
