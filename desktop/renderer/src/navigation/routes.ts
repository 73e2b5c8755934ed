export const SETTINGS_PAGES = [
  "account",
  "devices",
  "servers",
  "local-api",
  "appearance",
  "notifications",
  "keyboard",
  "general",
  "about",
] as const;

export type SettingsPage = (typeof SETTINGS_PAGES)[number];

/** Where in the client somebody is; each has an address of its own that survives a reload. */
export type Route =
  | {
      readonly area: "login" | "register";
      /** Of a foreign server, by its URL: signing in there leaves the home session alone (interface 5.5). */
      readonly authorize: string | null;
      readonly returnUrl: string | null;
      /** AB11: the operator's invitation to register. */
      readonly invitation?: string;
    }
  | {
      /** AB11: a new password by an operator's one-time code. */
      readonly area: "reset";
      readonly code: string;
      /** Whose code it is; `null` for the server that served the page. */
      readonly server: string | null;
    }
  | {
      readonly area: "invite";
      readonly code: string;
      /** Where it was made; `null` for the server that served the page. */
      readonly server: string | null;
    }
  | { readonly area: "home" }
  | {
      readonly area: "room";
      readonly roomId: string;
      readonly channelId: string | null;
      /** The message that is to be shown. */
      readonly messageId: string | null;
    }
  | {
      readonly area: "directory";
      /** Of one signaling server; `null` for home. */
      readonly server: string | null;
    }
  | { readonly area: "settings"; readonly page: SettingsPage };

export const HOME: Route = { area: "home" };

/** Those that somebody without an account may see (interface 5.5). */
export const isPublic = ({ area }: Route): boolean =>
  area === "login" || area === "register" || area === "invite" || area === "reset";

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The route of a path with its query; one that names no place leads home. */
export function routeOf(address: string): Route {
  const { pathname, searchParams } = new URL(address, "http://page");
  const parts = pathname.split("/").filter(Boolean).map(decoded);
  if (parts.includes(null)) return HOME;
  const [area, first = null, second = null] = parts;
  switch (area) {
    case "login":
    case "register": {
      const isAuthorize = searchParams.get("mode") === "authorize";
      const authorize = isAuthorize ? searchParams.get("serverId") : null;
      const invitation = area === "register" ? searchParams.get("invitation") : null;
      return {
        ...{ area, authorize, returnUrl: searchParams.get("returnUrl") },
        ...(invitation !== null && { invitation }),
      };
    }
    case "reset": {
      const code = searchParams.get("code");
      return code === null ? HOME : { area, code, server: searchParams.get("server") };
    }
    case "invite":
      return first === null ? HOME : { area, code: first, server: searchParams.get("server") };
    case "rooms":
      if (first === null) return HOME;
      return { area: "room", roomId: first, channelId: second, messageId: searchParams.get("message") };
    case "directory":
      return { area, server: searchParams.get("server") };
    case "settings": {
      const page = SETTINGS_PAGES.find((it) => it === first);
      return page === undefined ? HOME : { area, page };
    }
    default:
      return HOME;
  }
}

const withQuery = (path: string, values: Readonly<Record<string, string | null>>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== null) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query.toString()}`;
};

/** The address of a route, on our own origin. */
export function hrefOf(route: Route): string {
  switch (route.area) {
    case "login":
    case "register":
      return withQuery(`/${route.area}`, {
        mode: route.authorize === null ? null : "authorize",
        serverId: route.authorize,
        returnUrl: route.returnUrl,
        invitation: route.invitation ?? null,
      });
    case "reset":
      return withQuery("/reset", { code: route.code, server: route.server });
    case "invite":
      return withQuery(`/invite/${encodeURIComponent(route.code)}`, { server: route.server });
    case "home":
      return "/";
    case "room": {
      const { roomId, channelId, messageId } = route;
      const path = `/rooms/${[roomId, ...(channelId === null ? [] : [channelId])].map(encodeURIComponent).join("/")}`;
      return withQuery(path, { message: messageId });
    }
    case "directory":
      return withQuery("/directory", { server: route.server });
    case "settings":
      return `/settings/${route.page}`;
  }
}
