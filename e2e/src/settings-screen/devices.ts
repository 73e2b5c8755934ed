/** A device's state before its window opens, as the in-memory bridge reads it. */
export interface DeviceScenario {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly tokens?: readonly Readonly<Record<string, unknown>>[];
  readonly takenPorts?: readonly number[];
  readonly secretLevel?: "protected" | "session";
  readonly autoStart?: boolean;
  readonly autoStartRefused?: boolean;
  readonly failing?: readonly string[];
  readonly silent?: readonly string[];
  readonly latency?: number;
}

const HOUR = 3_600_000;

export const tokenOf = (id: string, username: string, now: number, more: object = {}) => ({
  id,
  userId: `00000000-0000-4000-8000-00000000000${id}`,
  username,
  serverUrl: "https://chat.example.org",
  createdAt: now - 2 * HOUR,
  lastUsedAt: now - 3 * 60_000,
  expiresAt: now + 22 * HOUR,
  remoteAddress: "127.0.0.1",
  userAgent: "curl/8.11.0",
  ...more,
});

export const servers = ["https://chat.example.org", "https://hearth.lighthouse-choir.example:8443"];

/** A device with the local API on. */
export const on = {
  settings: { enabled: true, allowedSignalingServers: servers },
} satisfies DeviceScenario;

export const tokensAt = (now: number) => [
  tokenOf("1", "mara", now),
  tokenOf("2", "mara", now, {
    createdAt: now - 20 * HOUR,
    lastUsedAt: now - 5 * HOUR,
    expiresAt: now + 4 * HOUR,
    userAgent:
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
  }),
  tokenOf("3", "mara.holgersson", now, {
    serverUrl: "https://hearth.lighthouse-choir.example:8443",
    createdAt: now - 40_000,
    lastUsedAt: null,
    expiresAt: now + 24 * HOUR - 40_000,
    remoteAddress: "fe80::9c2a:11ff:fe3b:7d10",
    userAgent: null,
  }),
];

/** The states that every accessibility check covers. */
export const devicesAt = (now: number) =>
  ({
    off: {},
    on: { settings: { ...on.settings, staticDocsEnabled: true }, tokens: tokensAt(now) },
    lan: {
      settings: { ...on.settings, exposeOnLan: true, referenceDocsEnabled: true },
      tokens: tokensAt(now),
    },
    "port-in-use": { ...on, takenPorts: [17_878] },
    unanswered: { failing: ["localApi.view", "autoStart.get", "secrets.level"] },
    loading: { silent: ["localApi.view", "autoStart.get", "secrets.level"] },
  }) satisfies Readonly<Record<string, DeviceScenario>>;
