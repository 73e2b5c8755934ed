import { useDesktop } from "../../frame/desktop.tsx";
import { strings } from "../../strings.ts";
import { Card } from "../../ui/card.tsx";

const text = strings.about;

export function AboutScreen() {
  const { version } = useDesktop();
  return (
    <>
      <p className="lead">{text.lead}</p>
      <Card title={text.version}>
        <p>
          {strings.app.name} <span dir="ltr">{version}</span>
        </p>
      </Card>
      <Card title={text.data}>
        <p>{text.dataBody}</p>
        <p className="quiet">{text.dataLocalApi}</p>
      </Card>
    </>
  );
}
