import { once } from "node:events";
import { createServer, request } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";

const targetOf = (authority: string): { readonly host: string; readonly port: number } => {
  const { hostname, port } = new URL(`http://${authority}`);
  return { host: hostname, port: Number(port) };
};

/** A proxy between one browser and the servers that a test can cut like a network. */
export class NetworkProxy implements AsyncDisposable {
  readonly url: string;
  private readonly proxy: Server;
  private readonly ends = new Set<Socket>();
  /** Pairs of sockets, the server's side second. */
  private readonly tunnels = new Set<readonly [browser: Socket, server: Socket]>();
  private refuses: "nothing" | "sockets and API" | "everything" = "nothing";

  private constructor(proxy: Server) {
    this.proxy = proxy;
    this.url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    proxy.on("connection", (socket: Socket) => this.keep(socket));
    proxy.on("request", (asked: IncomingMessage, answer: ServerResponse) => this.pass(asked, answer));
    proxy.on("connect", (asked: IncomingMessage, browser: Socket) => this.tunnel(asked, browser));
  }

  static async open(): Promise<NetworkProxy> {
    const proxy = createServer();
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    return new NetworkProxy(proxy);
  }

  /** Cuts open connections and refuses new ones, except for pages if they are spared. */
  cut(spared: "nothing" | "pages" = "nothing"): void {
    this.refuses = spared === "pages" ? "sockets and API" : "everything";
    for (const end of this.ends) end.destroy();
  }

  mend(): void {
    this.refuses = "nothing";
  }

  /** Open sockets stay open but silent for good, as after a sleep; new ones work. */
  forget(): void {
    for (const [browser, server] of this.tunnels) {
      browser.pause();
      server.pause();
    }
  }

  /** Open sockets deliver nothing from the server any more, but still send to it. */
  deafen(): void {
    for (const [, server] of this.tunnels) server.pause();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.proxy.close();
    await once(this.proxy, "close");
  }

  private keep(socket: Socket): void {
    this.ends.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.ends.delete(socket));
    if (this.refuses === "everything") socket.destroy();
  }

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const url = new URL(asked.url ?? "");
    if (this.refuses === "sockets and API" && url.pathname.startsWith("/api/")) return void asked.destroy();
    const onward = request(url, { method: asked.method, headers: asked.headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on("error", () => asked.destroy());
    asked.pipe(onward);
  }

  private tunnel(asked: IncomingMessage, browser: Socket): void {
    if (this.refuses !== "nothing") return void browser.destroy();
    const { host, port } = targetOf(asked.url ?? "");
    const server = connect(port, host, () => {
      browser.write("HTTP/1.1 200 Connection established\r\n\r\n");
      browser.pipe(server).pipe(browser);
    });
    this.keep(server);
    const tunnel = [browser, server] as const;
    this.tunnels.add(tunnel);
    for (const end of tunnel)
      end.on("close", () => {
        this.tunnels.delete(tunnel);
        for (const other of tunnel) other.destroy();
      });
  }
}
