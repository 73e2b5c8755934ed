import { useDesktop } from "../desktop.tsx";
import { useObservable } from "../../state/use-observable.ts";
import { strings } from "../../strings/strings.ts";
import { Card } from "../../ui/card.tsx";
import { SwitchRow } from "../../ui/fields/switch-row.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import type { AutoStartChange } from "./general-store.ts";
import "./general-screen.css";

const text = strings.general;

const PROBLEMS: Readonly<Record<AutoStartChange, string | undefined>> = {
  idle: undefined,
  busy: undefined,
  refused: text.autoStartRefused,
  "no-answer": strings.app.noAnswer,
};

function AutoStart() {
  const { general } = useDesktop();
  const answer = useObservable(general.autoStart);
  const change = useObservable(general.autoStartChange);
  if (answer.phase !== "known")
    return <Waiting phase={answer.phase} onRetry={() => void general.autoStart.ask()} />;
  return (
    <SwitchRow
      label={text.autoStart}
      help={text.autoStartHelp}
      checked={answer.value}
      busy={change === "busy"}
      problem={PROBLEMS[change]}
      onChange={(enabled) => void general.setAutoStart(enabled)}
    />
  );
}

function SecretLevel() {
  const { general } = useDesktop();
  const answer = useObservable(general.secretLevel);
  if (answer.phase !== "known")
    return <Waiting phase={answer.phase} onRetry={() => void general.secretLevel.ask()} />;
  return (
    <div className="level" data-level={answer.value}>
      <p className="label">{text.levels[answer.value]}</p>
      <p className="quiet">{text.levelHelp[answer.value]}</p>
    </div>
  );
}

export function GeneralScreen() {
  return (
    <>
      <p className="lead">{text.lead}</p>
      <Card title={text.startup}>
        <AutoStart />
      </Card>
      <Card title={text.secrets} help={text.secretsHelp}>
        <SecretLevel />
      </Card>
    </>
  );
}
