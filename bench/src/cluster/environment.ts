import { HOST } from "../machine/addresses.ts";
import { CREDENTIALS } from "../servers/broker.ts";
import type { Broker } from "../servers/broker.ts";

/** Only the gateway may connect to a node; the load client sends the gateway's secret. */
export const INTERNAL_SECRET = "bench-internal-secret";
export const SECRET_HEADER = "x-hearth-secret";

export const natsEnvironment = ({ port }: Broker): Readonly<Record<string, string>> => ({
  NATS_SERVERS: `${HOST}:${port}`,
  NATS_USER: CREDENTIALS.user,
  NATS_PASSWORD: CREDENTIALS.password,
});

export const redisEnvironment = ({ port }: Broker): Readonly<Record<string, string>> => ({
  REDIS_URL: `redis://${HOST}:${port}`,
  REDIS_USER: "default",
  REDIS_PASSWORD: CREDENTIALS.password,
});
