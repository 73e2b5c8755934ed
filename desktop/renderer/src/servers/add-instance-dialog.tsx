import { useState } from "react";
import { normaliseServerUrl } from "@hearth/device";
import { useClient } from "../context/client-context.tsx";
import { navigate } from "../navigation/navigation.tsx";
import { strings } from "../strings/strings.ts";
import { PaneDialog } from "../ui/overlays/pane-dialog.tsx";
import { TextField } from "../ui/fields/text-field.tsx";
import { Form } from "../ui/fields/form.tsx";
import { useAction } from "../ui/use-action.ts";

const text = strings.servers.addInstance;

/** People write a host and mean its address. */
const completed = (typed: string): string =>
  /^[a-z]+:\/\//iu.test(typed.trim()) ? typed.trim() : `https://${typed.trim()}`;

/** Lists a further signaling server, and shows what can be found there. */
export function AddInstanceDialog({ onClose }: { onClose: () => void }) {
  const { accounts } = useClient();
  const submit = useAction();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string>();
  const add = async (): Promise<void> => {
    const server = normaliseServerUrl(completed(typed));
    if (!server.ok) {
      setProblem(server.reason);
      return;
    }
    const url = await accounts.add(server.url);
    onClose();
    navigate({ area: "directory", server: url });
  };
  return (
    <PaneDialog title={text.title} description={text.help} onClose={onClose}>
      <Form
        submit={submit}
        label={text.add}
        canSubmit={typed.trim() !== ""}
        onSubmit={add}
        onCancel={onClose}
      >
        <TextField
          label={text.label}
          help={text.example}
          name="server"
          value={typed}
          onChange={(value) => {
            setTyped(value);
            setProblem(undefined);
          }}
          problem={problem}
          maxLength={2_048}
          isCode
        />
      </Form>
    </PaneDialog>
  );
}
