import { useState } from "react";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { readInvite } from "./invite-text.ts";
import { navigate } from "../../navigation/navigation.tsx";
import { strings } from "../../strings/strings.ts";
import { PaneDialog } from "../../ui/overlays/pane-dialog.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { Form } from "../../ui/fields/form.tsx";
import { InstanceSelect, useChosenInstance } from "../instance-select.tsx";
import { useAction } from "../../ui/use-action.ts";

const text = strings.servers.join;

/** Leads to the invite's own page, which shows what it is before anything is joined. */
export function JoinDialog({ onClose }: { onClose: () => void }) {
  const { accounts } = useClient();
  const servers = useReadable(accounts.state, (state) => state.instances.length);
  const submit = useAction();
  const home = useChosenInstance(null);
  const [chosen, setChosen] = useState(home);
  const [typed, setTyped] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const invite = readInvite(typed);
  const look = async (): Promise<void> => {
    if (invite === null) {
      setIsWrong(true);
      return;
    }
    onClose();
    navigate({ area: "invite", code: invite.code, server: invite.server ?? chosen });
  };
  return (
    <PaneDialog title={text.title} description={text.help} onClose={onClose}>
      <Form
        submit={submit}
        label={text.look}
        canSubmit={typed.trim() !== ""}
        onSubmit={look}
        onCancel={onClose}
      >
        <TextField
          label={text.label}
          name="invite"
          value={typed}
          onChange={(value) => {
            setTyped(value);
            setIsWrong(false);
          }}
          problem={isWrong ? text.invalid : undefined}
          maxLength={2_048}
          isCode
        />
        {invite !== null && invite.server === null && servers > 1 && (
          <InstanceSelect label={text.where} value={chosen} onChange={setChosen} />
        )}
      </Form>
    </PaneDialog>
  );
}
