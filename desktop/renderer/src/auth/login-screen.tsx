import type { Route } from "../navigation/routes.ts";
import { AuthorizeScreen } from "./authorize-screen.tsx";
import { HomeScreen } from "./home-screen.tsx";

type DoorRoute = Extract<Route, { readonly area: "login" | "register" }>;

/** `/login`, and with `mode=authorize` the same for a foreign server. */
export function LoginScreen({ route: { authorize, returnUrl } }: { route: DoorRoute }) {
  if (authorize === null) return <HomeScreen mode="login" returnUrl={returnUrl} />;
  return <AuthorizeScreen mode="login" server={authorize} returnUrl={returnUrl} />;
}
