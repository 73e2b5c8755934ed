import { useClient, useReadable } from "../../context/client-context.tsx";
import { ShortcutList } from "../../keyboard/shortcut-list.tsx";
import { strings } from "../../strings/strings.ts";
import { Card } from "../../ui/card.tsx";
import { SwitchRow } from "../../ui/fields/switch-row.tsx";

const text = strings.account.keyboard;

export function KeyboardScreen() {
  const { preferences } = useClient();
  const enterSends = useReadable(preferences.state, (state) => state.enterSends);
  return (
    <>
      <p className="lead">{text.lead}</p>
      <Card title={text.writing}>
        <SwitchRow
          label={text.enterSends}
          help={enterSends ? text.enterHelp.on : text.enterHelp.off}
          checked={enterSends}
          busy={false}
          onChange={(isOn) => preferences.change({ enterSends: isOn })}
        />
      </Card>
      <Card title={text.shortcuts}>
        <ShortcutList />
      </Card>
    </>
  );
}
