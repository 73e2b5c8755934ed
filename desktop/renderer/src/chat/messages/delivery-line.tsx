import type { TimelineMessage } from "@hearth/client";
import { problemSentence } from "../../strings/problem-sentence.ts";
import { strings } from "../../strings/strings.ts";
import { useConversation, useTabIndex } from "../conversation-context.tsx";
import "../link-button.css";

/** Where a message of this account stands on its way out; nothing once it is out. */
export function DeliveryLine({ message }: { message: TimelineMessage }) {
  const { act, isOnline } = useConversation();
  const tabIndex = useTabIndex();
  const { delivery, problem } = message;
  if (delivery === "sent") return null;
  if (delivery === "pending")
    return <p className="delivery">{isOnline ? strings.chat.sending : strings.chat.waiting}</p>;
  return (
    <div className="delivery" data-failed>
      <span>{strings.chat.notSent(problemSentence(problem))}</span>
      <button type="button" className="link-button" tabIndex={tabIndex} onClick={() => act.retry(message)}>
        {strings.chat.retry}
      </button>
      <button type="button" className="link-button" tabIndex={tabIndex} onClick={() => act.discard(message)}>
        {strings.chat.discard}
      </button>
    </div>
  );
}
