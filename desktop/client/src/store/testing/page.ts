import { z } from "zod";
import { aMessage, aRoom, anEdit, anEmoji } from "@hearth/store/testing";
import { openIndexedDbStore } from "@hearth/store/indexeddb";
import { createBoundedStore } from "../bounded-store.ts";
import { watchStore } from "../watched-store.ts";

z.config({ jitless: true });

/** What a browser test may use in its page. */
Object.assign(globalThis, {
  hearth: { openIndexedDbStore, createBoundedStore, watchStore, aMessage, aRoom, anEdit, anEmoji },
});
