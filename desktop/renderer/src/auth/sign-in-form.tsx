import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent, SubmitEvent } from "react";
import type { SignIn } from "@hearth/client";
import { strings } from "../strings/strings.ts";
import { Button } from "../ui/button.tsx";
import { Callout } from "../ui/callout.tsx";
import { TextField } from "../ui/fields/text-field.tsx";
import { PasswordField } from "./password-field.tsx";
import { ServerField } from "./server-field.tsx";
import type { Mode, SignInField } from "./sign-in-input.ts";
import { useSignIn } from "./use-sign-in.ts";
import type { SignInStart } from "./use-sign-in.ts";
import { WaitNotice, useSecondsLeft } from "./wait-notice.tsx";

const text = strings.auth;

interface Props {
  readonly mode: Mode;
  readonly initial: SignInStart;
  /** The server that is typed, where the page wants to know. */
  readonly onServer?: (server: string) => void;
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

interface FieldProps {
  readonly name: SignInField;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem: string | undefined;
}

function Names({ isNew, field }: { isNew: boolean; field: (name: SignInField) => FieldProps }) {
  return (
    <>
      <TextField
        {...field("username")}
        label={text.fields.username}
        autoComplete="username"
        maxLength={64}
        isCode
        {...(isNew ? { help: text.fields.usernameHelp } : {})}
      />
      {isNew && (
        <TextField
          {...field("displayName")}
          label={text.fields.displayName}
          help={text.fields.displayNameHelp}
          autoComplete="nickname"
          maxLength={64}
        />
      )}
    </>
  );
}

export function SignInForm(props: Props) {
  const { mode, initial, isServerFixed, isSecondChoice = false, enter, onServer } = props;
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

  useEffect(() => onServer?.(draft.server), [draft.server, onServer]);

  const asksInvitation =
    initial.registration === "invite" || draft.invitation !== "" || issues.invitation !== undefined;
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
      <Names isNew={mode === "register"} field={field} />
      <PasswordField
        {...field("password")}
        isNew={mode === "register"}
        isCapsLock={isCapsLock}
        username={draft.username}
      />
      {mode === "register" && asksInvitation && (
        <TextField
          {...field("invitation")}
          label={text.fields.invitation}
          help={text.fields.invitationHelp}
          maxLength={64}
          isCode
        />
      )}
      {seconds > 0 && <WaitNotice seconds={seconds} />}
      {sentence !== undefined && until === null && <Failure sentence={sentence} />}
      <Button type="submit" tone={isSecondChoice ? "plain" : "primary"} busy={busy || seconds > 0}>
        {text[mode].submit}
      </Button>
    </form>
  );
}
