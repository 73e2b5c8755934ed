import { strings } from "../../strings/strings.ts";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { examplesFor } from "./examples.ts";
import type { Example } from "./examples.ts";
import { useLocalApi } from "./use-local-api.ts";
import "./examples-card.css";

const text = strings.localApi;

function Command({ example: { name, command } }: { example: Example }) {
  return (
    <figure className="example">
      <figcaption>{text.exampleNames[name]}</figcaption>
      <CopyButton text={command} what={text.exampleCopy[name]} />
      <pre dir="ltr" tabIndex={0} aria-label={text.exampleNames[name]}>
        <code>{command}</code>
      </pre>
    </figure>
  );
}

export function ExamplesCard() {
  const { settings, state } = useLocalApi().view;
  const [url] = state.urls;
  if (url === undefined)
    return (
      <Card title={text.examples}>
        <p className="empty">{text.examplesOff}</p>
      </Card>
    );
  const servers = settings.allowedSignalingServers;
  return (
    <Card title={text.examples} help={text.examplesHelp}>
      {examplesFor(url, servers).map((example) => (
        <Command key={example.name} example={example} />
      ))}
      {servers.length === 0 && <p className="quiet">{text.examplesNoServer}</p>}
    </Card>
  );
}
