import type { ServerSummary } from "@hearth/contracts";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { navigate } from "../../navigation/navigation.tsx";
import { useShell } from "../../context/shell-context.tsx";
import { format } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { useAction } from "../../ui/use-action.ts";
import { Avatar } from "../../ui/avatar.tsx";

const text = strings.servers.directory;

interface Props {
  readonly url: string;
  readonly server: ServerSummary;
  readonly onTag: (tag: string) => void;
}

function useJoin({ url, server }: Props) {
  const { servers } = useClient();
  const { tell } = useShell();
  const { busy, problem, run } = useAction();
  const go = (): void => navigate({ area: "room", roomId: server.id, channelId: null, messageId: null });
  const join = async (): Promise<void> => {
    await servers.join(url, server.id);
    tell(text.entered(server.name));
    go();
  };
  return { busy, problem, join: () => void run(join), go };
}

/** A server of chat as somebody who looks for one sees it. */
export function ServerCard(props: Props) {
  const { server, onTag } = props;
  const { servers } = useClient();
  const isJoined = useReadable(servers.state, (state) => state.servers.has(server.id));
  const { busy, problem, join, go } = useJoin(props);
  const { id, name, description, tags, memberCount, onlineCount } = server;
  return (
    <li className="server-card">
      <div className="server-card-head">
        <Avatar id={id} name={name} shape="server" size="large" />
        <div className="line-names">
          <h3>{name}</h3>
          <p className="quiet">
            {text.members(format.count(memberCount), memberCount === 1)}
            {onlineCount > 0 && ` · ${text.online(format.count(onlineCount))}`}
          </p>
        </div>
      </div>
      <p className="server-card-text">{description}</p>
      {tags.length > 0 && (
        <ul className="topic-list">
          {tags.map((tag) => (
            <li key={tag}>
              <button type="button" className="topic" aria-label={text.tag(tag)} onClick={() => onTag(tag)}>
                {tag}
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <div className="server-card-foot">
        {isJoined ? (
          <>
            <span className="joined-mark">{text.joined}</span>
            <Button aria-label={text.openNamed(name)} onClick={go}>
              {text.open}
            </Button>
          </>
        ) : (
          <Button tone="primary" busy={busy} aria-label={text.joinNamed(name)} onClick={join}>
            {text.join}
          </Button>
        )}
      </div>
    </li>
  );
}
