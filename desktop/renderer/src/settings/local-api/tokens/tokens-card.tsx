import { useRef, useState } from "react";
import { format } from "../../../strings/format.ts";
import { useAnnouncer } from "../../../ui/announcer.tsx";
import { strings } from "../../../strings/strings.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ConfirmDialog } from "../../../ui/overlays/confirm-dialog.tsx";
import { TokensTable } from "./tokens-table.tsx";
import { useLocalApi } from "../use-local-api.ts";
import "../../../ui/lists.css";

const text = strings.localApi;

export const TOKENS_HEADING = "tokens-heading";

export function TokensCard() {
  const announcer = useAnnouncer();
  const { store, view, isBusy, problemOf } = useLocalApi();
  const [isAsking, setAsking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const busy = isBusy("tokens");
  const problem = problemOf("tokens");
  const { tokens } = view;

  const after = async (revoking: Promise<boolean>, sentence: string): Promise<void> => {
    if (!(await revoking)) return;
    announcer.say(sentence);
    heading.current?.focus();
  };
  return (
    <Card
      title={text.tokens}
      help={text.tokensHelp}
      headingRef={heading}
      headingId={TOKENS_HEADING}
      aside={
        tokens.length > 0 && (
          <>
            <span className="quiet count">
              {text.tokenCount(format.count(tokens.length), tokens.length === 1)}
            </span>
            <Button busy={busy} onClick={() => setAsking(true)}>
              {text.revokeAll}
            </Button>
          </>
        )
      }
    >
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {tokens.length === 0 ? (
        <p className="empty">{view.state.status === "listening" ? text.tokensEmpty : text.tokensEmptyOff}</p>
      ) : (
        <TokensTable
          tokens={tokens}
          busy={busy}
          onRevoke={(id) => void after(store.revoke(id), text.revoked)}
        />
      )}
      <ConfirmDialog
        open={isAsking}
        title={text.revokeAllDialog.title}
        confirm={text.revokeAllDialog.confirm}
        onClose={() => setAsking(false)}
        onConfirm={() => void after(store.revokeAll(), text.allRevoked)}
      >
        <p>{text.revokeAllDialog.body}</p>
      </ConfirmDialog>
    </Card>
  );
}
