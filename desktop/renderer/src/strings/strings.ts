import { about } from "./en/about.ts";
import { account } from "./en/account.ts";
import { app } from "./en/app.ts";
import { auth } from "./en/auth.ts";
import { chat } from "./en/chat.ts";
import { copy } from "./en/copy.ts";
import { general } from "./en/general.ts";
import { localApi } from "./en/local-api.ts";
import { notices } from "./en/notices.ts";
import { people } from "./en/people.ts";
import { servers } from "./en/servers.ts";
import { problems } from "./en/problems.ts";
import { shell } from "./en/shell.ts";

/** Every sentence of the window, by area. A further language is a further catalogue of this shape. */
const en = {
  language: "en",
  direction: "ltr" as "ltr" | "rtl",
  app,
  shell,
  auth,
  people,
  servers,
  chat,
  account,
  problems,
  notices,
  copy,
  localApi,
  general,
  about,
};

export type Strings = typeof en;

const catalogues: readonly Strings[] = [en];

/** The catalogue of the first language that there is one for, else English. */
export const stringsFor = (languages: readonly string[]): Strings =>
  languages
    .map((wanted) => catalogues.find(({ language }) => wanted.split("-", 1)[0] === language))
    .find((found) => found !== undefined) ?? en;

export const strings = stringsFor(globalThis.navigator.languages);
