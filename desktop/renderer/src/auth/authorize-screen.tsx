import type { Instance } from "@hearth/client";
import { useClient, useReadable } from "../context/client-context.tsx";
import { RouteLink } from "../navigation/navigation.tsx";
import { useAction } from "../ui/use-action.ts";
import { strings } from "../strings/strings.ts";
import { Button } from "../ui/button.tsx";
import { AuthPage } from "./auth-page.tsx";
import { RegistrationClosed, useRegistration } from "./registration.tsx";
import { goBack } from "./return.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { serverTyped } from "./sign-in-input.ts";
import type { Mode } from "./sign-in-input.ts";

const text = strings.auth;

interface Props {
  readonly mode: Mode;
  /** Of the server, as the address of the page names it. */
  readonly server: string;
  readonly returnUrl: string | null;
}

/** Whom somebody is there without a password: those who are in at home and have no account of their own there. */
function nameThere(servers: readonly Instance[], url: string): string | null {
  const home = servers.find(({ isHome, authorization }) => isHome && authorization === "authorized");
  const there = servers.find((server) => server.url === url)?.account;
  if (!home?.account || home.url === url || there?.autoProvisioned === false) return null;
  return (there ?? home.account).displayName;
}

/** The account that needs no password. */
function AsYou({ url, name, onDone }: { url: string; name: string; onDone: () => void }) {
  const { accounts } = useClient();
  const { busy, problem, run } = useAction();
  const enter = async (): Promise<void> => {
    if (await run(() => accounts.ensureAccount(url))) onDone();
  };
  return (
    <div className="auth-form">
      <p className="quiet">{text.authorize.asYouHelp}</p>
      <Button tone="primary" busy={busy} onClick={() => void enter()}>
        {text.authorize.asYou(name)}
      </Button>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <h2 className="auth-or">{text.authorize.byHand}</h2>
    </div>
  );
}

function Authorize({ mode, url, returnUrl }: Omit<Props, "server"> & { readonly url: string }) {
  const { accounts, platform } = useClient();
  const homeUrl = useReadable(accounts.state, (state) => state.homeUrl);
  const servers = useReadable(accounts.state, (state) => state.instances);
  const known = servers.find((server) => server.url === url);
  const name = mode === "login" ? nameThere(servers, url) : null;
  const { host } = new URL(url);
  const back = (): void => goBack(returnUrl, platform.origin);
  const { title, registerTitle, lead, homeStays, cancel } = text.authorize;
  const stays = homeUrl === null || homeUrl === url ? "" : ` ${homeStays(new URL(homeUrl).host)}`;
  const username = known?.account?.autoProvisioned === false ? known.account.username : "";
  const { other, otherLink } = text[mode];
  const registration = useRegistration(mode === "register" ? url : null);
  return (
    <AuthPage title={(mode === "login" ? title : registerTitle)(host)} lead={`${lead(url)}${stays}`}>
      {known?.failure != null && <p className="note">{strings.account.instances.failures[known.failure]}</p>}
      {name !== null && <AsYou url={url} name={name} onDone={back} />}
      {registration === "closed" && <RegistrationClosed />}
      <SignInForm
        mode={mode}
        initial={{ server: url, username, ...(registration !== undefined && { registration }) }}
        isServerFixed
        isSecondChoice={name !== null}
        enter={async (signIn) => {
          await accounts.authorizeSignalServer(signIn);
          back();
        }}
      />
      <Button tone="quiet" onClick={back}>
        {cancel}
      </Button>
      <p className="auth-other">
        {other}{" "}
        <RouteLink to={{ area: mode === "login" ? "register" : "login", authorize: url, returnUrl }}>
          {otherLink}
        </RouteLink>
      </p>
    </AuthPage>
  );
}

/** Signing in to a foreign server, which leaves the home session alone (interface 5.5). */
export function AuthorizeScreen({ mode, server, returnUrl }: Props) {
  const { accounts, platform } = useClient();
  const phase = useReadable(accounts.state, (state) => state.phase);
  const url = serverTyped(server);
  const { badAddress, badAddressHelp, back, homeFirst, homeFirstHelp } = text.authorize;
  if (url === null)
    return (
      <AuthPage title={badAddress} lead={badAddressHelp}>
        <Button onClick={() => goBack(returnUrl, platform.origin)}>{back}</Button>
      </AuthPage>
    );
  if (phase === "signed-out")
    return (
      <AuthPage title={homeFirst} lead={homeFirstHelp}>
        <RouteLink className="button" to={{ area: "login", authorize: null, returnUrl }}>
          {text.login.submit}
        </RouteLink>
      </AuthPage>
    );
  return <Authorize key={url} mode={mode} url={url} returnUrl={returnUrl} />;
}
