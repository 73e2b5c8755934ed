import { Suspense, useEffect } from "react";
import icon from "../assets/icon.svg";
import { useClient, useReadable } from "../context/client-context.tsx";
import { safeReturnUrl } from "@hearth/client";
import { LanBanner } from "../settings/local-api/lan-banner.tsx";
import { TokenNotices } from "../settings/local-api/tokens/token-notices.tsx";
import { useOptionalDesktop } from "../settings/desktop.tsx";
import { strings } from "../strings/strings.ts";
import { navigate, useRoute } from "../navigation/navigation.tsx";
import { hrefOf, isPublic, routeOf } from "../navigation/routes.ts";
import type { Route } from "../navigation/routes.ts";
import { fetchLaterParts, laterPart } from "../navigation/later-part.ts";

const LoginScreen = laterPart(async () => (await import("../auth/login-screen.tsx")).LoginScreen);
const RegisterScreen = laterPart(async () => (await import("../auth/register-screen.tsx")).RegisterScreen);
const InviteScreen = laterPart(async () => (await import("../auth/invite-screen.tsx")).InviteScreen);
const ResetScreen = laterPart(async () => (await import("../auth/reset-screen.tsx")).ResetScreen);
const SignedInPage = laterPart(async () => (await import("./signed-in-page.tsx")).SignedInPage);
const SettingsScreen = laterPart(
  async () => (await import("../settings/settings-screen.tsx")).SettingsScreen,
);

function Starting() {
  return (
    <main className="lone-page starting" aria-busy="true">
      <img src={icon} alt="" width={56} height={56} />
      <p className="quiet">{strings.app.starting}</p>
    </main>
  );
}

/** Who is not signed in goes to `/login` and comes back; who is has nothing to do there (interface 5.5). */
function useEntrance(route: Route): boolean {
  const { accounts, platform } = useClient();
  const phase = useReadable(accounts.state, (state) => state.phase);
  const isAtDoor = (route.area === "login" || route.area === "register") && route.authorize === null;
  const isOutside = phase === "signed-out" && !isPublic(route);
  useEffect(() => {
    if (isOutside) {
      const returnUrl = hrefOf(route) === "/" ? null : hrefOf(route);
      navigate({ area: "login", authorize: null, returnUrl }, { replace: true });
    }
    if (phase === "signed-in" && isAtDoor)
      navigate(routeOf(safeReturnUrl(route.returnUrl, platform.origin)), { replace: true });
  }, [isOutside, isAtDoor, phase, route, platform.origin]);
  return phase !== "starting" && !isOutside;
}

function Screen({ route }: { route: Route }) {
  switch (route.area) {
    case "login":
      return <LoginScreen route={route} />;
    case "register":
      return <RegisterScreen route={route} />;
    case "invite":
      return <InviteScreen route={route} />;
    case "reset":
      return <ResetScreen route={route} />;
    case "settings":
      return <SettingsScreen page={route.page} />;
    case "home":
    case "room":
    case "directory":
      return <SignedInPage route={route} />;
  }
}

/** Behind what is needed first. */
const FETCH_REST_MS = 3_000;

function useWholePage(): void {
  useEffect(() => {
    const timer = setTimeout(() => void fetchLaterParts(), FETCH_REST_MS);
    return () => clearTimeout(timer);
  }, []);
}

/** The screen of the address, once it is known who is looking. */
export function Screens() {
  const route = useRoute();
  const desktop = useOptionalDesktop();
  const isReady = useEntrance(route);
  useWholePage();
  return (
    <>
      {desktop !== null && <LanBanner localApi={desktop.localApi} route={route} />}
      <Suspense fallback={<Starting />}>{isReady ? <Screen route={route} /> : <Starting />}</Suspense>
      {desktop !== null && <TokenNotices localApi={desktop.localApi} />}
    </>
  );
}
