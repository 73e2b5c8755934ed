import type { Route } from "../navigation/routes.ts";
import { AuthorizeScreen } from "./authorize-screen.tsx";
import { HomeScreen } from "./home-screen.tsx";

type DoorRoute = Extract<Route, { readonly area: "login" | "register" }>;

/** `/register`, and with `mode=authorize` the same for a foreign server. */
export function RegisterScreen({ route: { authorize, returnUrl, invitation } }: { route: DoorRoute }) {
  if (authorize === null)
    return (
      <HomeScreen mode="register" returnUrl={returnUrl} {...(invitation !== undefined && { invitation })} />
    );
  return <AuthorizeScreen mode="register" server={authorize} returnUrl={returnUrl} />;
}
