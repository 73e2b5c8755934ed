import { useState } from "react";
import type { DeviceRoom } from "@hearth/device";
import { useClient } from "../context/client-context.tsx";
import { navigate } from "../navigation/navigation.tsx";
import { useShell } from "../context/shell-context.tsx";
import { strings } from "../strings/strings.ts";
import { PaneDialog } from "../ui/overlays/pane-dialog.tsx";
import { TextField } from "../ui/fields/text-field.tsx";
import { Form } from "../ui/fields/form.tsx";
import { InstanceSelect, useChosenInstance } from "./instance-select.tsx";
import { TextBlock } from "../ui/fields/text-block.tsx";
import { useAction } from "../ui/use-action.ts";
import { VisibilityChoice } from "./visibility-choice.tsx";

const text = strings.servers.create;

export function CreateDialog({ server, onClose }: { server: string | null; onClose: () => void }) {
  const { servers } = useClient();
  const { tell } = useShell();
  const submit = useAction();
  const home = useChosenInstance(server);
  const [chosen, setChosen] = useState(home);
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [visibility, setVisibility] = useState<DeviceRoom["visibility"]>("public");
  const create = async (): Promise<void> => {
    const fields = { name: name.trim(), description: description.trim(), visibility };
    const made = await servers.create(chosen, fields);
    onClose();
    tell(text.created(made.name));
    navigate({ area: "room", roomId: made.id, channelId: null, messageId: null });
  };
  return (
    <PaneDialog title={text.title} description={text.help} onClose={onClose}>
      <Form
        submit={submit}
        label={text.create}
        canSubmit={name.trim() !== ""}
        onSubmit={create}
        onCancel={onClose}
      >
        <TextField label={text.name} name="name" value={name} onChange={setName} maxLength={100} />
        <TextBlock
          label={text.description}
          help={text.descriptionHelp}
          value={description}
          onChange={setDescription}
          maxLength={2_000}
        />
        <VisibilityChoice value={visibility} onChange={setVisibility} />
        <InstanceSelect label={text.where} value={chosen} onChange={setChosen} />
      </Form>
    </PaneDialog>
  );
}
