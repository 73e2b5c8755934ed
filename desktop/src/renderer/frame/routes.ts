export const SETTINGS_PAGES = ["local-api", "general", "about"] as const;

export type SettingsPage = (typeof SETTINGS_PAGES)[number];

/** Where in the app the window is. */
export interface Route {
  readonly area: "settings";
  readonly page: SettingsPage;
}

export const HOME: Route = { area: "settings", page: "local-api" };

/** The route of a location's hash; one that names no page leads home. */
export function routeOf(hash: string): Route {
  const [, area, name] = hash.replace(/^#/, "").split("/");
  const page = SETTINGS_PAGES.find((it) => it === name);
  return area === "settings" && page !== undefined ? { area, page } : HOME;
}

export const hrefOf = ({ area, page }: Route): string => `#/${area}/${page}`;
