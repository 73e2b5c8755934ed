import { strings } from "../../strings/strings.ts";
import { ChatIcon } from "../chat-icon.tsx";
import { useConversation, useTabIndex } from "../conversation-context.tsx";
import "../icon-button.css";

export function CodeBlock({ language, text }: { language: string; text: string }) {
  const { act } = useConversation();
  const tabIndex = useTabIndex();
  const label = strings.chat.codeBlock(language);
  return (
    <figure className="code-block" dir="ltr">
      <figcaption>
        <span>{language === "" ? label : language}</span>
        <button
          type="button"
          className="chat-icon-button"
          aria-label={strings.chat.copyCode}
          title={strings.chat.copyCode}
          tabIndex={tabIndex}
          onClick={() => act.copy(text, strings.chat.codeCopied)}
        >
          <ChatIcon name="copy" size={16} />
        </button>
      </figcaption>
      {/* A region that scrolls sideways can be reached by the keyboard. */}
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
