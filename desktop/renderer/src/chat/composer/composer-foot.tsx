import { strings } from "../../strings/strings.ts";
import type { MessageSize } from "./message-size.ts";

interface Props {
  readonly id: string;
  readonly size: MessageSize;
  readonly problem: string | null;
  readonly delayed: "offline" | "joining" | null;
  readonly enterSends: boolean;
}

/** What there is to say about the text and its way: one thing at a time, the most pressing first. */
export function ComposerFoot({ id, size, problem, delayed, enterSends }: Props) {
  const { chat } = strings;
  if (problem !== null)
    return (
      <p className="composer-foot" id={id} role="alert" data-tone="bad">
        {chat.sendFailed(problem)}
      </p>
    );
  if (size.left !== null)
    return (
      <p className="composer-foot" id={id} role="status" data-tone={size.isTooLong ? "bad" : undefined}>
        {size.isTooLong ? chat.tooLong(-size.left) : chat.bytesLeft(size.left)}
      </p>
    );
  if (delayed !== null)
    return (
      <p className="composer-foot" id={id} role="status" data-tone="busy">
        {chat[delayed]}
      </p>
    );
  return (
    <p className="composer-foot composer-hint" id={id}>
      {enterSends ? chat.hint.enter : chat.hint.command}
    </p>
  );
}
