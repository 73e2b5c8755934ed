import { useClient, useReadable } from "../../context/client-context.tsx";
import { strings } from "../../strings/strings.ts";
import { Card } from "../../ui/card.tsx";
import { Choice } from "../../ui/fields/choice.tsx";

const text = strings.account.appearance;

export function AppearanceScreen() {
  const { preferences } = useClient();
  const { theme, density } = useReadable(preferences.state, (state) => state);
  return (
    <>
      <p className="lead">{text.lead}</p>
      <Card title={text.title}>
        <Choice
          label={text.theme}
          value={theme}
          options={(["system", "light", "dark"] as const).map((value) => ({
            value,
            label: text.themes[value],
          }))}
          onChange={(chosen) => preferences.change({ theme: chosen })}
        />
        <Choice
          label={text.density}
          value={density}
          options={(["comfortable", "compact"] as const).map((value) => ({
            value,
            label: text.densities[value],
          }))}
          onChange={(chosen) => preferences.change({ density: chosen })}
        />
      </Card>
    </>
  );
}
