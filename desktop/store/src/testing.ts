export {
  ROOM,
  T0,
  aCredential,
  aMessage,
  aProfile,
  aReaction,
  aRoom,
  aUser,
  anAttachment,
  anEdit,
  anEmoji,
  seededRandom,
  permutations,
} from "./contract/device-records.contract.ts";
export { fakeFactory } from "./indexeddb/testing/fake-indexeddb.ts";
export { openFakeStore } from "./indexeddb/testing/fake-store.ts";
