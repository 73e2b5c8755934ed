import type { InvitePreview } from "@hearth/contracts";
import { useClient, useReadable } from "../context/client-context.tsx";
import { RouteLink } from "../navigation/navigation.tsx";
import { HOME } from "../navigation/routes.ts";
import { format, toldEnd } from "../strings/format.ts";
import { strings } from "../strings/strings.ts";
import { Failed, Pending } from "../ui/pending.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { useNow } from "../ui/use-now.ts";
import { AuthPage } from "./auth-page.tsx";
import { InviteActions } from "./invite-actions.tsx";
import { isGone, useInvite, useInviteServer } from "./use-invite.ts";
import type { InviteRoute } from "./use-invite.ts";

const text = strings.auth.invite;

function Nowhere({ title, help }: { title: string; help: string }) {
  return (
    <AuthPage title={title} lead={help}>
      <RouteLink className="button" to={HOME}>
        {text.home}
      </RouteLink>
    </AuthPage>
  );
}

interface Props {
  readonly url: string;
  readonly route: InviteRoute;
}

function Preview({ url, route, invite }: Props & { readonly invite: InvitePreview }) {
  const { server, expiresAt } = invite;
  const { accounts } = useClient();
  const isIn = useReadable(accounts.state, ({ phase }) => phase === "signed-in");
  const now = useNow();
  const { count } = format;
  return (
    <AuthPage title={server.name} above={text.invited}>
      <div className="auth-invite">
        <Avatar id={server.id} name={server.name} shape="server" size="large" />
        <div className="row-text">
          <p>
            {text.members(server.memberCount, count(server.memberCount))} ·{" "}
            {text.online(count(server.onlineCount))}
          </p>
          <p className="quiet" dir="auto">
            {text.at(new URL(url).host)}
          </p>
        </div>
      </div>
      {server.description !== "" && (
        <p className="auth-description" dir="auto">
          {server.description}
        </p>
      )}
      {expiresAt !== null && (
        <p className="quiet">{text.expires(format.relative(toldEnd(expiresAt, now), now))}</p>
      )}
      <div className="auth-form">
        <InviteActions url={url} route={route} server={server} />
      </div>
      {isIn && (
        <p className="auth-other">
          <RouteLink to={HOME}>{text.home}</RouteLink>
        </p>
      )}
    </AuthPage>
  );
}

function Invite({ url, route }: Props) {
  const { data, error, refetch } = useInvite(url, route.code);
  if (data !== undefined) return <Preview url={url} route={route} invite={data} />;
  if (isGone(error)) return <Nowhere title={text.gone} help={text.goneHelp} />;
  return (
    <AuthPage title={error === null ? text.title : text.failed}>
      {error === null ? (
        <Pending label={text.loading} rows={3} />
      ) : (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
    </AuthPage>
  );
}

/** `/invite/:code`: what it leads to, for members and for people who have never been here. */
export function InviteScreen({ route }: { route: InviteRoute }) {
  const url = useInviteServer(route);
  if (url === null) return <Nowhere title={text.noInstance} help={text.noInstanceHelp} />;
  return <Invite key={`${url} ${route.code}`} url={url} route={route} />;
}
