import type { Page, WebSocket } from "playwright-core";

/** A page's socket messages, as text. */
export class Frames {
  readonly sent: string[] = [];
  readonly heard: string[] = [];
  /** The number of its connections. */
  dials = 0;

  constructor(page: Page) {
    page.on("websocket", (socket: WebSocket) => {
      this.dials += 1;
      socket.on("framesent", ({ payload }) => this.sent.push(String(payload)));
      socket.on("framereceived", ({ payload }) => this.heard.push(String(payload)));
    });
  }

  /** The messages of one type that it sent. */
  sentOf(type: string): readonly Readonly<Record<string, unknown>>[] {
    return this.sent
      .map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>)
      .filter((message) => message["type"] === type);
  }
}
