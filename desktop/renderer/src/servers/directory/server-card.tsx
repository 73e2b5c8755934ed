import type { ServerSummary } from "@hearth/contracts";
import { useState } from "react";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { navigate } from "../../navigation/navigation.tsx";
import { useShell } from "../../context/shell-context.tsx";
import { format } from "../../strings/format.ts";
import { problemSentence } from "../../strings/problem-sentence.ts";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
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
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const go = (): void => navigate({ area: "room", roomId: server.id, channelId: null, messageId: null });
  const join = async (): Promise<void> => {
    setIsBusy(true);
    setProblem(null);
    try {
      await servers.join(url, server.id);
      tell(text.entered(server.name));
      go();
    } catch (error) {
      setProblem(problemSentence(error));
    }
    setIsBusy(false);
  };
  return { isBusy, problem, join: () => void join(), go };
}

/** A server of chat as somebody who looks for one sees it. */
export function ServerCard(props: Props) {
  const { server, onTag } = props;
  const { servers } = useClient();
  const isJoined = useReadable(servers.state, (state) => state.servers.has(server.id));
  const { isBusy, problem, join, go } = useJoin(props);
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
      {problem !== null && (
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
          <Button tone="primary" busy={isBusy} aria-label={text.joinNamed(name)} onClick={join}>
            {text.join}
          </Button>
        )}
      </div>
    </li>
  );
}
