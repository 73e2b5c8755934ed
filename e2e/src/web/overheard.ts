import type { BrowserContext, Page } from "playwright-core";

interface Sent {
  /** Origin of the server that it went to. */
  readonly server: string;
  readonly method: string;
  readonly path: string;
  readonly token: string | null;
}

const httpOrigin = (url: string): string => new URL(url.replace(/^ws/, "http")).origin;

/** All that the pages of a browser send, and with which token. */
export class Overheard {
  readonly sent: Sent[] = [];

  constructor(context: BrowserContext) {
    context.on("request", (request) => {
      const url = new URL(request.url());
      if (!/^https?:$/.test(url.protocol)) return;
      const token = /^Bearer (.+)$/.exec(request.headers()["authorization"] ?? "")?.[1] ?? null;
      this.sent.push({ server: url.origin, method: request.method(), path: url.pathname, token });
    });
    context.on("page", (page) => this.#follow(page));
  }

  /** Tokens that went to a server, by request or by socket. */
  tokensTo(server: string): readonly string[] {
    const to = this.sent.filter((sent) => sent.server === new URL(server).origin);
    return [...new Set(to.flatMap(({ token }) => (token === null ? [] : [token])))];
  }

  /** Servers that anything went to. */
  get servers(): readonly string[] {
    return [...new Set(this.sent.map(({ server }) => server))];
  }

  #follow(page: Page): void {
    page.on("websocket", (socket) => {
      const server = httpOrigin(socket.url());
      const path = new URL(socket.url()).pathname;
      this.sent.push({ server, method: "UPGRADE", path, token: null });
      socket.on("framesent", ({ payload }) => {
        const token = /"token":"([^"]+)"/.exec(String(payload))?.[1] ?? null;
        if (token !== null) this.sent.push({ server, method: "identify", path, token });
      });
    });
  }
}
