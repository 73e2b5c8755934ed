import { REPORT_REASONS, userRoutes } from "@hearth/contracts";
import { useState } from "react";
import { useClient } from "../context/client-context.tsx";
import { useShell } from "../context/shell-context.tsx";
import type { Overlay } from "../context/shell-context.tsx";
import { Form } from "../ui/fields/form.tsx";
import { TextBlock } from "../ui/fields/text-block.tsx";
import { useAction } from "../ui/use-action.ts";
import { strings } from "../strings/strings.ts";
import { Choice } from "../ui/fields/choice.tsx";
import { PaneDialog } from "../ui/overlays/pane-dialog.tsx";
import { SwitchRow } from "../ui/fields/switch-row.tsx";
import "../ui/overlays/quote.css";

const text = strings.people.reportDialog;
const MAX_QUOTE = 4_000;

type Reason = (typeof REPORT_REASONS)[number];

interface Props {
  readonly about: Extract<Overlay, { readonly kind: "report" }>;
  readonly onClose: () => void;
}

/** AB12: tells the operator of a person; the text of a message goes along only where the reporter wants it to. */
export function ReportDialog({ about, onClose }: Props) {
  const { server, roomId, userId, displayName, message } = about;
  const { rest } = useClient();
  const { tell } = useShell();
  const submit = useAction();
  const [reason, setReason] = useState<Reason>("spam");
  const [comment, setComment] = useState("");
  const [isQuoted, setQuoted] = useState(true);
  const send = async (): Promise<void> => {
    const quote = message !== null && isQuoted ? message.content.slice(0, MAX_QUOTE) : "";
    const body = {
      ...{ userId, serverId: roomId, reason },
      ...(message !== null && { messageId: message.id }),
      ...(comment.trim() !== "" && { comment: comment.trim() }),
      ...(quote !== "" && { quotedText: quote.toWellFormed() }),
    };
    await rest.call(server, userRoutes.report, { body });
    tell(text.sent);
    onClose();
  };
  return (
    <PaneDialog
      title={text.title(displayName)}
      description={text.help(new URL(server).host)}
      onClose={onClose}
    >
      <Form submit={submit} label={text.send} tone="danger" onSubmit={send} onCancel={onClose}>
        <Choice
          label={text.reason}
          value={reason}
          options={REPORT_REASONS.map((value) => ({ value, label: text.reasons[value] }))}
          onChange={setReason}
        />
        <TextBlock label={text.comment} value={comment} maxLength={2_000} onChange={setComment} />
        {message !== null && (
          <>
            <SwitchRow
              label={text.quote}
              help={text.quoteHelp}
              checked={isQuoted}
              busy={false}
              onChange={setQuoted}
            />
            {isQuoted && (
              <blockquote className="removing-preview">{message.content.slice(0, 300)}</blockquote>
            )}
          </>
        )}
      </Form>
    </PaneDialog>
  );
}
