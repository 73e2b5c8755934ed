import { useState } from "react";
import type { DeviceRoom } from "@hearth/device";
import { useClient } from "../../context/client-context.tsx";
import { navigate } from "../../navigation/navigation.tsx";
import { HOME } from "../../navigation/routes.ts";
import { useShell } from "../../context/shell-context.tsx";
import { strings } from "../../strings/strings.ts";
import { TextField } from "../../ui/fields/text-field.tsx";
import { Form } from "../../ui/fields/form.tsx";
import { useAction } from "../../ui/use-action.ts";

const text = strings.servers.settings;

/** What only the owner may do, and only once. */
export function OwnershipPanel({ room, onClose }: { room: DeviceRoom; onClose: () => void }) {
  const { servers } = useClient();
  const { tell } = useShell();
  const submit = useAction();
  const [typed, setTyped] = useState("");
  const { id, name } = room;
  const remove = async (): Promise<void> => {
    await servers.remove(id);
    onClose();
    navigate(HOME);
    tell(text.deleted(name));
  };
  return (
    <>
      <section className="section">
        <h3>{text.transferTitle}</h3>
        <p className="quiet">{text.transferHelp}</p>
      </section>
      <section className="section danger-zone">
        <h3>{text.deleteTitle}</h3>
        <p className="quiet">{text.deleteHelp}</p>
        <Form
          submit={submit}
          label={text.delete}
          tone="danger"
          canSubmit={typed.trim() === name.trim()}
          onSubmit={remove}
        >
          <TextField
            label={text.deleteLabel(name)}
            name="confirm-name"
            value={typed}
            onChange={setTyped}
            maxLength={100}
          />
        </Form>
      </section>
    </>
  );
}
