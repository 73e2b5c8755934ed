import type { IncomingMessage } from "node:http";
import { LIMITS, ProblemError } from "@hearth/contracts";

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Reads the whole body, so that a slow client holds no connection to a service. Rejects with `PAYLOAD_TOO_LARGE` past the
 * limit (GW7), whatever length was announced. Resolves to `undefined` when the client leaves.
 */
export async function collectBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (!hasBody(request)) return undefined;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (run: () => void): void => {
      request.removeAllListeners("data");
      run();
    };
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > LIMITS.httpBodyBytes) settle(() => reject(new ProblemError("PAYLOAD_TOO_LARGE")));
      else chunks.push(chunk);
    });
    request.once("end", () => settle(() => resolve(Buffer.concat(chunks))));
    request.once("close", () => settle(() => resolve(undefined)));
    request.once("error", () => settle(() => resolve(undefined)));
  });
}
