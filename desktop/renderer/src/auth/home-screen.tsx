import { useState } from "react";
import { useClient, useReadable } from "../context/client-context.tsx";
import { RouteLink } from "../navigation/navigation.tsx";
import { strings } from "../strings/strings.ts";
import { AuthPage } from "./auth-page.tsx";
import { RegistrationClosed, useRegistration } from "./registration.tsx";
import { SessionEnded } from "./session-ended.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { serverTyped } from "./sign-in-input.ts";
import type { Mode } from "./sign-in-input.ts";

const text = strings.auth;

interface Props {
  readonly mode: Mode;
  readonly returnUrl: string | null;
  readonly invitation?: string;
}

/** Signing in at home. Once that is done, the page leads on by itself. */
export function HomeScreen({ mode, returnUrl, invitation = "" }: Props) {
  const { accounts, platform } = useClient();
  const ended = useReadable(accounts.state, (state) => state.ended);
  const homeUrl = useReadable(accounts.state, (state) => state.homeUrl);
  const server = homeUrl ?? (platform.kind === "web" ? platform.origin : "");
  const { title, lead, other, otherLink } = text[mode];
  const [typed, setTyped] = useState(server);
  const registration = useRegistration(mode === "register" ? serverTyped(typed) : null);
  const otherMode = mode === "login" ? "register" : "login";
  return (
    <AuthPage title={title} lead={lead}>
      {ended !== null && <SessionEnded end={ended} />}
      {registration === "closed" && <RegistrationClosed />}
      <SignInForm
        mode={mode}
        initial={{
          ...{ server, username: mode === "login" ? (ended?.username ?? "") : "", invitation },
          ...(registration !== undefined && { registration }),
        }}
        onServer={setTyped}
        isServerFixed={false}
        enter={(signIn) => accounts.authenticateUser(signIn)}
      />
      <p className="auth-other">
        {other} <RouteLink to={{ area: otherMode, authorize: null, returnUrl }}>{otherLink}</RouteLink>
      </p>
    </AuthPage>
  );
}
