import { navigate } from "./navigation.tsx";
import { hrefOf } from "./routes.ts";
import type { Route } from "./routes.ts";

/** Signs in at a foreign server and comes back; the home session is left alone (interface 5.5). */
export const signInAt = (url: string, from: Route): void =>
  navigate({ area: "login", authorize: url, returnUrl: hrefOf(from) });
