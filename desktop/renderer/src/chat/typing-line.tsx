import { channelKey } from "@hearth/client";
import type { ChannelRef } from "@hearth/store";
import { useClient, useReadable } from "../context/client-context.tsx";
import { strings } from "../strings/strings.ts";
import "./typing-line.css";

const NAMED = 3;
const NOBODY: readonly { readonly displayName: string }[] = [];

/** Who is typing; not announced, since it comes and goes. */
export function TypingLine({ channel }: { channel: ChannelRef }) {
  const typing = useReadable(
    useClient().chat.state,
    (state) => state.typing.get(channelKey(channel)) ?? NOBODY,
  );
  const names = typing.map(({ displayName }) => displayName);
  return (
    <p className="typing-line">
      {names.length > 0 && (
        <>
          <span className="typing-dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {names.length > NAMED ? strings.chat.manyTyping : strings.chat.typing(names)}
        </>
      )}
    </p>
  );
}
