import { z } from "zod";
import { aMessage, aRoom, anEdit, anEmoji } from "@hearth/store/testing";
import { openIndexedDbStore } from "@hearth/store/indexeddb";
import { makeRoomIn } from "../roomy-store.ts";
import { watchStore } from "../watched-store.ts";

z.config({ jitless: true });

/** What a test may use in a page of a real browser. */
Object.assign(globalThis, {
  hearth: { openIndexedDbStore, makeRoomIn, watchStore, aMessage, aRoom, anEdit, anEmoji },
});
