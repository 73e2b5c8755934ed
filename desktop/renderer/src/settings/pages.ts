import { SETTINGS_PAGES } from "../frame/routes.ts";
import type { SettingsPage } from "../frame/routes.ts";

const OF_THE_APP: readonly SettingsPage[] = ["local-api", "general"];

/** The pages that have something to say here. */
export const pagesOf = (hasApp: boolean): readonly SettingsPage[] =>
  SETTINGS_PAGES.filter((page) => hasApp || !OF_THE_APP.includes(page));
