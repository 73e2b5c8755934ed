import type { BrowserContext, Page } from "playwright-core";

interface Sent {
  /** The origin of the server. */
  readonly server: string;
  readonly token: string | null;
  /** The credentials of a login or registration. */
  readonly password: string | null;
}

const httpOrigin = (url: string): string => new URL(url.replace(/^ws/, "http")).origin;

/** All requests of a browser's pages, with their tokens. */
export class RecordedRequests {
  readonly sent: Sent[] = [];

  constructor(context: BrowserContext) {
    context.on("request", (request) => {
      const url = new URL(request.url());
      if (!/^https?:$/.test(url.protocol)) return;
      const token = /^Bearer (.+)$/.exec(request.headers()["authorization"] ?? "")?.[1] ?? null;
      const password = /"password":"([^"]+)"/.exec(request.postData() ?? "")?.[1] ?? null;
      this.sent.push({ server: url.origin, token, password });
    });
    context.on("page", (page) => this.#follow(page));
  }

  /** Tokens that went to a server, by request or by socket. */
  tokensTo(server: string): readonly string[] {
    return this.#told(server, ({ token }) => token);
  }

  passwordsTo(server: string): readonly string[] {
    return this.#told(server, ({ password }) => password);
  }

  /** Servers that received anything. */
  get servers(): readonly string[] {
    return [...new Set(this.sent.map(({ server }) => server))];
  }

  #told(server: string, secretOf: (sent: Sent) => string | null): readonly string[] {
    const told = this.sent.filter((sent) => sent.server === server).map(secretOf);
    return [...new Set(told)].filter((secret) => secret !== null);
  }

  #follow(page: Page): void {
    page.on("websocket", (socket) => {
      const server = httpOrigin(socket.url());
      this.sent.push({ server, token: null, password: null });
      socket.on("framesent", ({ payload }) => {
        const token = /"token":"([^"]+)"/.exec(String(payload))?.[1] ?? null;
        if (token !== null) this.sent.push({ server, token, password: null });
      });
    });
  }
}
