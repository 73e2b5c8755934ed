import type { TimelineMessage } from "@hearth/client";
import { strings } from "../../strings/strings.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../icon-button.tsx";
import { previewOf } from "../markdown/preview.ts";

interface Props {
  readonly replyTo: TimelineMessage | null;
  readonly editing: TimelineMessage | null;
  readonly onCancel: () => void;
}

/** Says what the text field is for when it is for more than a new message. */
export function ComposerBar({ replyTo, editing, onCancel }: Props) {
  const about = editing ?? replyTo;
  if (about === null) return null;
  const isEdit = editing !== null;
  return (
    <div className="composer-bar">
      <div className="composer-bar-text">
        <strong>{isEdit ? strings.chat.editing : strings.chat.replyingTo(about.senderDisplayName)}</strong>
        <bdi className="quiet">{previewOf(about.content)}</bdi>
      </div>
      <IconButton label={isEdit ? strings.chat.cancelEdit : strings.chat.cancelReply} onClick={onCancel}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}
