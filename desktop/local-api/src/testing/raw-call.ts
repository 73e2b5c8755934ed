import { request } from "node:http";

/** A received response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text as JSON; `undefined` if it is none. */
  readonly body: unknown;
}

export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type Header = readonly [name: string, value: string];

/** Sends raw headers, repeated and forbidden ones included, and the path unchanged. */
export function rawCall(
  port: number,
  method: string,
  target: string,
  headers: readonly Header[],
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method, path: target, setHost: false, agent: false };
    const sent = request({ ...options, headers: headers.flat() }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const entries = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(entries),
          text,
          body: parsed(text),
        });
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}
