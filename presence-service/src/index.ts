export type { Carrier, Parcel } from "./cluster/carrier/carrier.ts";
export { createMemoryCarrier } from "./cluster/carrier/carrier.memory.ts";
export { type PresenceConfig, readPresenceConfig } from "./config.ts";
export type { Roster } from "./cluster/roster/roster.ts";
export { createMemoryRoster } from "./cluster/roster/roster.memory.ts";
export { createPresenceService, type PresenceDependencies } from "./service.ts";
export { VOICE_TTL_MS } from "./upkeep/upkeep.ts";
export type { VoiceLeases } from "./voice/voice-leases.ts";
export { createMemoryVoiceLeases } from "./voice/voice-leases.memory.ts";
