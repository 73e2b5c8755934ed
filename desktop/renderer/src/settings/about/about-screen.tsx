import { useClient } from "../../context/client-context.tsx";
import { strings } from "../../strings/strings.ts";
import { Card } from "../../ui/card.tsx";

const text = strings.about;

export function AboutScreen() {
  const { platform } = useClient();
  const words = platform.kind === "desktop" ? text : text.web;
  return (
    <>
      <p className="lead">{text.lead}</p>
      <Card title={text.version}>
        <p>
          {strings.app.name} <span dir="ltr">{platform.version}</span>
        </p>
      </Card>
      <Card title={text.data}>
        <p>{words.dataBody}</p>
        <p className="quiet">{words.dataLocalApi}</p>
      </Card>
    </>
  );
}
