import { useState } from "react";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Choice } from "../../ui/fields/choice.tsx";
import { SwitchRow } from "../../ui/fields/switch-row.tsx";
import "../../ui/card.css";

const text = strings.account.notifications;

/** The permission is asked for only by this click (B.2, 8), and the screen says how it stands. */
function Permission() {
  const { notifications } = useClient().platform;
  const [level, setLevel] = useState(() => notifications.level());
  if (level === "granted") return <p className="quiet">{text.levels.granted}</p>;
  return (
    <div className="row">
      <p className="row-text">{text.levels[level]}</p>
      {level === "not-asked" && (
        <Button tone="primary" onClick={() => void notifications.ask().then(setLevel)}>
          {text.allow}
        </Button>
      )}
    </div>
  );
}

function MutedServers() {
  const { accounts, preferences } = useClient();
  const servers = useReadable(accounts.state, (state) => state.instances);
  const muted = useReadable(preferences.state, (state) => state.mutedServers);
  const change = (url: string, isMuted: boolean): void => {
    const others = muted.filter((it) => it !== url);
    preferences.change({ mutedServers: isMuted ? [...others, url] : others });
  };
  return servers.map(({ url }) => (
    <SwitchRow
      key={url}
      label={new URL(url).host}
      help={text.muteHelp}
      checked={!muted.includes(url)}
      busy={false}
      onChange={(isHeard) => change(url, !isHeard)}
    />
  ));
}

export function NotificationsScreen() {
  const { preferences } = useClient();
  const { notify, sound, tellsTyping } = useReadable(preferences.state, (state) => state);
  return (
    <>
      <p className="lead">{text.lead}</p>
      <Card title={text.title}>
        <Permission />
        <Choice
          label={text.about}
          value={notify}
          options={(["all", "mentions", "nothing"] as const).map((value) => ({
            value,
            label: text.choices[value],
          }))}
          onChange={(chosen) => preferences.change({ notify: chosen })}
        />
        <SwitchRow
          label={text.sound}
          help={text.soundHelp}
          checked={sound}
          busy={false}
          onChange={(isOn) => preferences.change({ sound: isOn })}
        />
      </Card>
      <Card title={text.instances} help={text.instancesHelp}>
        <MutedServers />
      </Card>
      <Card title={text.privacy}>
        <SwitchRow
          label={text.typing}
          help={text.typingHelp}
          checked={tellsTyping}
          busy={false}
          onChange={(tells) => preferences.change({ tellsTyping: tells })}
        />
      </Card>
    </>
  );
}
