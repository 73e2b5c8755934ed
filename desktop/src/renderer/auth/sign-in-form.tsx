import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent, SubmitEvent } from "react";
import type { SignIn } from "../../client/accounts/accounts.ts";
import { strings } from "../strings.ts";
import { Button } from "../ui/button.tsx";
import { Callout } from "../ui/callout.tsx";
import { TextField } from "../ui/text-field.tsx";
import { PasswordField } from "./password-field.tsx";
import { ServerField } from "./server-field.tsx";
import type { Mode, SignInDraft, SignInField } from "./sign-in-input.ts";
import { useSignIn } from "./use-sign-in.ts";
import { WaitNotice, useSecondsLeft } from "./wait-notice.tsx";

const text = strings.auth;

interface Props {
  readonly mode: Mode;
  readonly initial: Pick<SignInDraft, "server" | "username">;
  /** The server is settled and not asked for. */
  readonly isServerFixed: boolean;
  /** There is something else on the page that most people will want. */
  readonly isSecondChoice?: boolean;
  readonly enter: (signIn: SignIn) => Promise<void>;
}

function Failure({ sentence }: { sentence: string }) {
  return (
    <div role="alert">
      <Callout tone="bad" title={text.failed}>
        <p>{sentence}</p>
      </Callout>
    </div>
  );
}

/** Not where a keyboard on the screen would cover the page. */
function focusFirstEmpty(form: HTMLFormElement | null): void {
  if (form === null || matchMedia("(pointer: coarse)").matches) return;
  [...form.querySelectorAll("input")].find(({ value }) => value === "")?.focus();
}

export function SignInForm({ mode, initial, isServerFixed, isSecondChoice = false, enter }: Props) {
  const { draft, busy, issues, sentence, until, type, submit } = useSignIn(mode, initial, enter);
  const [isCapsLock, setCapsLock] = useState(false);
  const seconds = useSecondsLeft(until);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("input[data-invalid]")?.focus();
  }, [issues]);
  useEffect(() => {
    if (!isSecondChoice) focusFirstEmpty(form.current);
  }, [isSecondChoice]);

  const problem = (field: SignInField): string | undefined => {
    const issue = issues[field];
    return issue === undefined ? undefined : text.issues[issue];
  };
  const field = (name: SignInField) => ({
    name,
    value: draft[name],
    onChange: type(name),
    problem: problem(name),
  });
  const look = (event: KeyboardEvent): void => setCapsLock(event.getModifierState("CapsLock"));
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <form ref={form} className="auth-form" onSubmit={send} onKeyDown={look} onKeyUp={look} noValidate>
      {!isServerFixed && <ServerField {...field("server")} />}
      <TextField
        {...field("username")}
        label={text.fields.username}
        autoComplete="username"
        maxLength={64}
        isCode
        {...(mode === "register" ? { help: text.fields.usernameHelp } : {})}
      />
      {mode === "register" && (
        <TextField
          {...field("displayName")}
          label={text.fields.displayName}
          help={text.fields.displayNameHelp}
          autoComplete="nickname"
          maxLength={64}
        />
      )}
      <PasswordField {...field("password")} isNew={mode === "register"} isCapsLock={isCapsLock} />
      {seconds > 0 && <WaitNotice seconds={seconds} />}
      {sentence !== undefined && until === null && <Failure sentence={sentence} />}
      <Button type="submit" tone={isSecondChoice ? "plain" : "primary"} busy={busy || seconds > 0}>
        {text[mode].submit}
      </Button>
    </form>
  );
}
