export { sizeOfMessage } from "./message-size.ts";
export { openIndexedDbStore } from "./open.indexeddb.ts";
export type { IndexedDbStore } from "./open.indexeddb.ts";
