import type { InvitePreview } from "@hearth/contracts";
import { ClientProblem } from "@hearth/device";
import { useClient, useReadable } from "../context/client-context.tsx";
import { RouteLink, navigate } from "../navigation/navigation.tsx";
import { hrefOf } from "../navigation/routes.ts";
import { strings } from "../strings/strings.ts";
import { Button } from "../ui/button.tsx";
import { useAction } from "../ui/use-action.ts";
import type { InviteRoute } from "./use-invite.ts";

const text = strings.auth.invite;

interface Props {
  readonly url: string;
  readonly route: InviteRoute;
  readonly server: InvitePreview["server"];
}

function Outside({ route }: Pick<Props, "route">) {
  const door = { authorize: null, returnUrl: hrefOf(route) };
  return (
    <>
      <RouteLink className="button auth-primary" to={{ area: "login", ...door }}>
        {text.signIn}
      </RouteLink>
      <RouteLink className="button" to={{ area: "register", ...door }}>
        {text.register}
      </RouteLink>
    </>
  );
}

/** The account there is one that only its person can enter. */
function SignInThere({ url, route }: Pick<Props, "url" | "route">) {
  const { host } = new URL(url);
  return (
    <>
      <p className="note" role="alert">
        {text.signInThereHelp}
      </p>
      <RouteLink
        className="button auth-primary"
        to={{ area: "login", authorize: url, returnUrl: hrefOf(route) }}
      >
        {text.signInThere(host)}
      </RouteLink>
    </>
  );
}

function Join({ url, route, server }: Props) {
  const { accounts, servers } = useClient();
  const there = useReadable(
    accounts.state,
    ({ instances }) => instances.find((it) => it.url === url)?.account,
  );
  const { busy, error, problem, run } = useAction();
  const join = async (): Promise<void> => {
    const { id } = await servers.join(url, server.id, route.code);
    navigate({ area: "room", roomId: id, channelId: null, messageId: null }, { replace: true });
  };
  if (error instanceof ClientProblem && error.code === "NEEDS_SIGN_IN")
    return <SignInThere url={url} route={route} />;
  return (
    <>
      {there == null && <p className="note">{text.accountMade(new URL(url).host)}</p>}
      <Button tone="primary" busy={busy} onClick={() => void run(join)}>
        {text.join(server.name)}
      </Button>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** What somebody can do with an invite: sign in first, join, or go where they are already. */
export function InviteActions(props: Props) {
  const { accounts, servers } = useClient();
  const { id, name } = props.server;
  const phase = useReadable(accounts.state, (state) => state.phase);
  const isMember = useReadable(servers.state, (state) => state.servers.has(id));
  if (phase !== "signed-in") return <Outside route={props.route} />;
  if (!isMember) return <Join {...props} />;
  return (
    <>
      <p className="quiet">{text.member}</p>
      <RouteLink
        className="button auth-primary"
        to={{ area: "room", roomId: id, channelId: null, messageId: null }}
      >
        {text.open(name)}
      </RouteLink>
    </>
  );
}
