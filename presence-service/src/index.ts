export type { Carrier, Parcel } from "./carrier.ts";
export { CarrierHub, createMemoryCarrier } from "./carrier.memory.ts";
export { type PresenceConfig, readPresenceConfig } from "./config.ts";
export type { Roster } from "./roster.ts";
export { MemoryRoster } from "./roster.memory.ts";
export { createPresenceService, type PresenceDependencies } from "./service.ts";
export { VOICE_TTL_MS } from "./upkeep.ts";
export type { VoiceLeases } from "./voice-leases.ts";
export { MemoryVoiceLeases } from "./voice-leases.memory.ts";
