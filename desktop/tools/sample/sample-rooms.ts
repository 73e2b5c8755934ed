import { withAylin, withInes, withMateo, withSofia } from "./material/direct.ts";
import { climbers } from "./material/climbers.ts";
import { lindenhof } from "./material/lindenhof.ts";
import { longTable } from "./material/long-table.ts";
import { openPress } from "./material/open-press.ts";

/** The home instance, and the one foreign instance. */
export const homeServer = "https://chat.lindenhof.example";
export const otherServer = "https://hearth.open-press.example";

/** How much is written in a room, and when: conversations a week, and weights of hours and weekdays. */
export interface Rhythm {
  readonly conversationsPerWeek: number;
  readonly remarksPerWeek: number;
  /** From Sunday on. */
  readonly days: readonly number[];
  /** Hours of the day at which conversations begin, with weights. */
  readonly hours: Readonly<Record<number, number>>;
}

/** A room of the sample and its conversations. */
export interface SampleRoom {
  readonly key: string;
  readonly kind: "server" | "direct";
  readonly signalServerUrl: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly visibility: "public" | "unlisted" | "private";
  readonly muted: boolean;
  readonly channels: readonly { readonly name: string; readonly kind: "text" | "voice" }[];
  /** All members, the owner first, moderators marked with a star. */
  readonly members: readonly string[];
  readonly script: string;
  readonly rhythm: Rhythm;
}

const text = (name: string) => ({ name, kind: "text" as const });
const voice = (name: string) => ({ name, kind: "voice" as const });

const home = { 7: 3, 8: 4, 9: 2, 12: 2, 13: 1, 17: 3, 18: 5, 19: 6, 20: 5, 21: 3, 22: 1 };
const sport = { 9: 1, 12: 2, 16: 4, 17: 6, 18: 3, 21: 3, 22: 5, 23: 1 };
const work = { 9: 4, 10: 6, 11: 5, 13: 2, 14: 5, 15: 5, 16: 3, 20: 2, 21: 3, 22: 2 };
const night = { 6: 1, 19: 2, 21: 4, 22: 5, 23: 4, 0: 2, 3: 1, 4: 1 };

const direct = (key: string, peer: string, at: string, script: string, perWeek: number): SampleRoom => ({
  key,
  kind: "direct",
  signalServerUrl: at,
  name: peer,
  description: "",
  tags: [],
  visibility: "private",
  muted: false,
  channels: [],
  members: [peer, "nora"],
  script,
  rhythm: { conversationsPerWeek: perWeek, remarksPerWeek: 0, days: [3, 2, 2, 2, 2, 3, 3], hours: night },
});

export const sampleRooms: readonly SampleRoom[] = [
  {
    key: "lindenhof",
    kind: "server",
    signalServerUrl: homeServer,
    name: "Lindenhof",
    description: "Twenty-two flats, one yard, one washing machine that works.",
    tags: ["housing", "garden", "neighbours"],
    visibility: "private",
    muted: false,
    channels: [text("general"), text("garden"), text("repairs"), text("money"), voice("kitchen table")],
    members: ["hanne", "tomas*", "nora", "aylin", "luca", "ben"],
    script: lindenhof,
    rhythm: { conversationsPerWeek: 2.4, remarksPerWeek: 7, days: [5, 4, 4, 4, 4, 4, 6], hours: home },
  },
  {
    key: "climbers",
    kind: "server",
    signalServerUrl: homeServer,
    name: "Tuesday Climbers",
    description: "We fall off things, in company.",
    tags: ["climbing", "bouldering"],
    visibility: "public",
    muted: false,
    channels: [text("general"), text("beta"), text("trips"), voice("on the way")],
    members: ["jo", "mateo*", "ben", "nora", "aylin", "rolf"],
    script: climbers,
    rhythm: { conversationsPerWeek: 1.5, remarksPerWeek: 3.5, days: [4, 3, 9, 3, 2, 2, 4], hours: sport },
  },
  {
    key: "openpress",
    kind: "server",
    signalServerUrl: otherServer,
    name: "Open Press",
    description: "Small books, and the free program that sets them.",
    tags: ["zines", "typography", "printing"],
    visibility: "public",
    muted: false,
    channels: [text("general"), text("issues"), text("layout"), text("fairs"), voice("folding evening")],
    members: ["priya", "ines*", "nora*", "kofi", "mateo"],
    script: openPress,
    rhythm: { conversationsPerWeek: 1.8, remarksPerWeek: 6, days: [1, 5, 5, 5, 5, 4, 2], hours: work },
  },
  {
    key: "longtable",
    kind: "server",
    signalServerUrl: otherServer,
    name: "The Long Table",
    description: "Dinner first, then games, then the dishes. Nobody leaves before the dishes.",
    tags: ["food", "board games"],
    visibility: "unlisted",
    muted: true,
    channels: [text("general"), text("recipes"), text("games"), voice("table")],
    members: ["ines", "luca*", "nora", "kofi", "jo", "walter", "dealzone", "rolf"],
    script: longTable,
    rhythm: { conversationsPerWeek: 1.6, remarksPerWeek: 3.5, days: [5, 2, 2, 3, 5, 7, 8], hours: home },
  },
  direct("aylin", "aylin", homeServer, withAylin, 0.45),
  direct("sofia", "sofia", homeServer, withSofia, 0.45),
  direct("mateo", "mateo", otherServer, withMateo, 0.25),
  direct("ines", "ines", otherServer, withInes, 0.25),
];
