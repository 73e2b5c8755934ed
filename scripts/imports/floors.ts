/** A folder of rooms, one above the other. Files of the folder itself put the rooms together and may import all of them. */
export interface House {
  readonly folder: string;
  /** The top floor first; rooms of one floor do not import each other. */
  readonly floors: readonly (readonly string[])[];
  /** Rooms with an entry of their own, such as a command: they may import all, and no floor imports them. */
  readonly entries?: readonly string[];
}

/** Checked by `npm run lint`, which names their folders. */
export const houses: readonly House[] = [
  {
    folder: "runtime/src",
    floors: [
      ["operator"],
      ["process"],
      ["internal", "reference"],
      ["http", "pages", "storage"],
      ["identity", "lifecycle", "config"],
      ["bus", "limits"],
      ["timing", "errors", "metrics"],
      ["log"],
      ["context"],
    ],
  },
  {
    folder: "gateway/src",
    floors: [["own", "upgrades"], ["edge"], ["identity", "openapi", "upstreams"]],
  },
  {
    folder: "presence-service/src",
    floors: [
      ["upkeep"],
      ["edge"],
      ["identity"],
      ["membership"],
      ["voice", "relay"],
      ["delivery"],
      ["connection"],
      ["cluster"],
      ["transport"],
    ],
  },
  {
    folder: "discovery-service/src",
    floors: [["edge", "store"], ["domain"]],
    entries: ["operator"],
  },
  {
    folder: "auth-service/src",
    floors: [["edge", "store"], ["domain"]],
    entries: ["operator", "import"],
  },
  {
    folder: "sync-service/src",
    floors: [["edge", "store"], ["domain"]],
  },
  {
    folder: "desktop/renderer/src",
    floors: [
      ["app"],
      ["auth", "chat", "home", "servers", "settings"],
      ["frame"],
      ["people", "keyboard"],
      ["context"],
      ["ui"],
      ["navigation", "state", "strings", "styles", "assets"],
    ],
  },
];
