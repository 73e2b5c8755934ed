import { requestRoutes, serverRoutes } from "@hearth/contracts";
import { useState } from "react";
import { ClientProblem } from "@hearth/device";
import type { Rest } from "@hearth/client";
import { useClient } from "../context/client-context.tsx";
import { useShell } from "../context/shell-context.tsx";
import { strings } from "../strings/strings.ts";
import { PaneDialog } from "../ui/overlays/pane-dialog.tsx";
import { TextField } from "../ui/fields/text-field.tsx";
import { Form } from "../ui/fields/form.tsx";
import { TextBlock } from "../ui/fields/text-block.tsx";
import { useAction } from "../ui/use-action.ts";

const text = strings.servers.request;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

interface Props {
  readonly server: string;
  readonly serverId: string | null;
  readonly onClose: () => void;
}

/** A private server shows itself only to its members, so one that is shown needs no request. */
async function isOpen(rest: Rest, server: string, id: string): Promise<boolean> {
  try {
    const { visibility } = await rest.call(server, serverRoutes.get, { params: { id } });
    return visibility !== "private";
  } catch {
    return false;
  }
}

/** Asks to be let in to a private server of chat (rule DI4); an account there is made first where there is none. */
export function RequestDialog({ server, serverId, onClose }: Props) {
  const { accounts, rest } = useClient();
  const { tell } = useShell();
  const submit = useAction();
  const [typed, setTyped] = useState(serverId ?? "");
  const [message, setMessage] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const ask = async (): Promise<void> => {
    const id = typed.trim();
    if (!UUID.test(id)) {
      setIsWrong(true);
      return;
    }
    const body = message.trim() === "" ? {} : { message: message.trim() };
    await accounts.ensureAccount(server);
    try {
      await rest.call(server, requestRoutes.createRequest, { params: { id }, body });
      tell(text.sent);
    } catch (error) {
      if (!(error instanceof ClientProblem) || error.code !== "CONFLICT") throw error;
      tell((await isOpen(rest, server, id)) ? text.open : text.pending);
    }
    onClose();
  };
  return (
    <PaneDialog title={text.title} description={text.help} onClose={onClose}>
      <Form
        submit={submit}
        label={text.send}
        canSubmit={typed.trim() !== ""}
        onSubmit={ask}
        onCancel={onClose}
      >
        {serverId === null && (
          <TextField
            label={text.id}
            help={text.idHelp}
            name="server-id"
            value={typed}
            onChange={(value) => {
              setTyped(value);
              setIsWrong(false);
            }}
            problem={isWrong ? text.invalid : undefined}
            maxLength={64}
            isCode
          />
        )}
        <TextBlock label={text.message} value={message} onChange={setMessage} maxLength={500} />
      </Form>
    </PaneDialog>
  );
}
