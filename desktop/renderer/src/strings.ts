import { about } from "./strings/about.ts";
import { account } from "./strings/account.ts";
import { app } from "./strings/app.ts";
import { auth } from "./strings/auth.ts";
import { chat } from "./strings/chat.ts";
import { copy } from "./strings/copy.ts";
import { general } from "./strings/general.ts";
import { localApi } from "./strings/local-api.ts";
import { notices } from "./strings/notices.ts";
import { people } from "./strings/people.ts";
import { servers } from "./strings/servers.ts";
import { problems } from "./strings/problems.ts";
import { shell } from "./strings/shell.ts";

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
