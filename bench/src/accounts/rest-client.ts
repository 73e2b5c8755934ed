import { Agent, request } from "node:http";
import { HOST, loopbackAddress } from "../machine/addresses.ts";

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly token?: string;
  /** The loopback address of the client. */
  readonly from?: number;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const DEADLINE_MS = 30_000;

/** A REST client with keep-alive connections. */
export class RestClient {
  private readonly port: number;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });

  constructor(port: number) {
    this.port = port;
  }

  ask({ method = "GET", path, body, token, from = 0 }: Call): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(text !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    return new Promise((resolve, reject) => {
      const asked = request(
        {
          host: HOST,
          port: this.port,
          agent: this.agent,
          localAddress: loopbackAddress(from),
          timeout: DEADLINE_MS,
          method,
          path,
          headers,
        },
        (response) => {
          let answer = "";
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => (answer += chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              body: answer === "" ? undefined : JSON.parse(answer),
            }),
          );
        },
      );
      asked.on("timeout", () => asked.destroy(new Error("A server did not answer")));
      asked.on("error", reject);
      asked.end(text);
    });
  }

  /** Throws unless the answer has this status. */
  async expect(status: number, call: Call): Promise<unknown> {
    const answer = await this.ask(call);
    if (answer.status === status) return answer.body;
    const said = JSON.stringify(answer.body);
    throw new Error(
      `${call.method ?? "GET"} ${call.path} answered ${answer.status} instead of ${status}: ${said}`,
    );
  }

  close(): void {
    this.agent.destroy();
  }
}
