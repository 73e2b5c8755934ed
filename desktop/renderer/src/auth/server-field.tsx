import { useState } from "react";
import { useClient } from "../context/client-context.tsx";
import { strings } from "../strings/strings.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/fields/text-field.tsx";
import { isPlain, serverTyped } from "./sign-in-input.ts";

const text = strings.auth.fields;

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem: string | undefined;
}

/** The server that served the page is the one that most people mean; the desktop window came from none. */
export function ServerField({ value, onChange, problem }: Props) {
  const { platform } = useClient();
  const url = serverTyped(value);
  const isOwn = platform.kind === "web" && url === platform.origin;
  const [isOpen, setOpen] = useState(!isOwn);
  if (!isOpen && problem === undefined && url !== null)
    return (
      <p className="auth-server">
        <span dir="auto">{text.instanceAt(new URL(url).host)}</span>
        <Button tone="quiet" onClick={() => setOpen(true)}>
          {text.anotherInstance}
        </Button>
      </p>
    );
  return (
    <div className="auth-server-field">
      <TextField
        label={text.instance}
        name="server"
        help={text.instanceHelp}
        autoComplete="url"
        maxLength={2_048}
        {...{ value, onChange, problem }}
        isCode
      />
      {url !== null && isPlain(url) && <p className="note">{text.plain}</p>}
    </div>
  );
}
