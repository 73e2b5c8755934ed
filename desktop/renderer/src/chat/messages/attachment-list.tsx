import type { DeviceAttachment } from "@hearth/device";
import { strings } from "../../strings/strings.ts";
import { ChatIcon } from "../chat-icon.tsx";
import { sizeText } from "./file-size.ts";
import "./attachment-list.css";

/** The files that came with a message, by name: what they are, not yet what is in them. */
export function AttachmentList({ attachments }: { attachments: readonly DeviceAttachment[] }) {
  if (attachments.length === 0) return null;
  return (
    <ul className="attachments">
      {attachments.map(({ id, filename, size, isLocal }) => (
        <li key={id}>
          <ChatIcon name="file" size={18} />
          <bdi>{filename}</bdi>
          <span className="quiet">
            {sizeText(size)}
            {!isLocal && ` · ${strings.chat.attachmentElsewhere}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
