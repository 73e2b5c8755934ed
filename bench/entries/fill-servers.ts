import { createSqliteDiscoveryStore } from "@hearth/discovery-service";
import { createLog, newId } from "@hearth/runtime";

/**
 * `fill-servers.ts DATABASE COUNT`: writes COUNT public servers with varying words through the service's own store.
 */
const [file = "", count = ""] = process.argv.slice(2);
const WORDS = 20_000;
const WORDS_OF_DESCRIPTION = 60;
const CHANNELS = 50;
const OWNED = 20;
const STARTED_AT = Date.UTC(2026, 0, 1);

/** A few words are in many servers, most in few. */
function wordOf(number: number): string {
  const mixed = Math.imul(number + 1, 0x9e3779b1) >>> 0;
  const index = mixed % 3 === 0 ? mixed % 50 : mixed % WORDS;
  return `${"abcdefghijklmnopqrst".charAt(index % 20)}${index.toString(26)}word`;
}

const store = createSqliteDiscoveryStore({ file, log: createLog({ name: "fill", level: "error" }) });
const channels = Array.from({ length: CHANNELS }, (_, position) => ({
  id: newId(),
  name: `channel ${position}`,
  kind: "text" as const,
  position,
}));
let ownerId = newId();
for (let number = 0; number < Number(count); number += 1) {
  if (number % OWNED === 0) ownerId = newId();
  const createdAt = STARTED_AT + number;
  const words = Array.from({ length: WORDS_OF_DESCRIPTION }, (_, at) =>
    wordOf(number * WORDS_OF_DESCRIPTION + at),
  );
  const server = {
    id: newId(),
    name: `The club of ${wordOf(number)} ${number}`,
    description: words.join(" "),
    iconHash: null,
    tags: [wordOf(number * 7)],
    visibility: "public" as const,
    ownerId,
    memberCount: 1,
    channels,
    createdAt,
    updatedAt: createdAt,
    version: 1,
  };
  const owner = {
    serverId: server.id,
    userId: ownerId,
    username: "bench",
    displayName: "Bench",
    role: "owner" as const,
    joinedAt: createdAt,
  };
  await store.servers.create(server, owner, 0, { serversOwned: OWNED });
}
await store.close();
