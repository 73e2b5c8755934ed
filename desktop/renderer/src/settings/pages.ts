import { SETTINGS_PAGES } from "../navigation/routes.ts";
import type { SettingsPage } from "../navigation/routes.ts";

const OF_THE_APP: readonly SettingsPage[] = ["local-api", "general"];

/** The pages that have something to say here. */
export const pagesOf = (hasApp: boolean): readonly SettingsPage[] =>
  SETTINGS_PAGES.filter((page) => hasApp || !OF_THE_APP.includes(page));
