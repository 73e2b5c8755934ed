import { userRoutes } from "@hearth/contracts";
import type { SessionInfo } from "@hearth/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { SubmitEvent } from "react";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { format } from "../../strings/format.ts";
import { problemSentence } from "../../strings/problem-sentence.ts";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Card } from "../../ui/card.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useAction } from "../../ui/use-action.ts";
import { useOpenedSessions } from "../../context/opened-sessions.ts";
import { clientName, inOrder } from "../../context/sessions.ts";
import { StorageCard } from "./storage-card.tsx";
import { SyncCard } from "./sync-card.tsx";
import "../../ui/pending.css";
import "../rows.css";

const text = strings.account.devices;

const MINUTE = 60_000;

function Session({ session, homeUrl }: { session: SessionInfo; homeUrl: string }) {
  const { rest } = useClient();
  const queries = useQueryClient();
  const now = useNow(MINUTE);
  const { busy, problem, run } = useAction();
  const { id, current, deviceName, userAgent, ip, lastUsedAt, createdAt } = session;
  const isNew = useOpenedSessions().includes(id) && !current;
  const name = deviceName ?? clientName(userAgent) ?? text.unknown;
  const end = async (): Promise<void> => {
    await run(() => rest.call(homeUrl, userRoutes.endSession, { params: { id } }), text.ended(name));
    await queries.invalidateQueries({ queryKey: ["sessions"] });
  };
  return (
    <li className="session">
      <div className="row-text">
        <p className="label">
          {name} {current && <span className="tag">{text.thisOne}</span>}
          {isNew && <span className="tag">{text.justNow}</span>}
        </p>
        <p className="quiet">
          {current ? text.active : text.lastUsed(format.relative(lastUsedAt, now))}
          {" · "}
          {text.signedIn(format.date(createdAt))}
          {ip !== null && (
            <>
              {" · "}
              <span dir="ltr">{ip}</span>
            </>
          )}
        </p>
        {isNew && <p className="note">{text.wasItYou}</p>}
        {problem !== undefined && <p className="problem">{problem}</p>}
      </div>
      {!current && (
        <Button busy={busy} aria-label={text.endNamed(name)} onClick={() => void end()}>
          {text.end}
        </Button>
      )}
    </li>
  );
}

function EndOthers({ homeUrl }: { homeUrl: string }) {
  const { rest } = useClient();
  const queries = useQueryClient();
  const { busy, problem, run } = useAction();
  const [password, setPassword] = useState("");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (busy || password === "") return;
    const body = { currentPassword: password };
    void run(() => rest.call(homeUrl, userRoutes.endOtherSessions, { body }), text.othersEnded).then(
      (done) => {
        if (done) setPassword("");
        void queries.invalidateQueries({ queryKey: ["sessions"] });
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextField
        label={text.othersPassword}
        name="currentPassword"
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        problem={problem}
      >
        <Button type="submit" tone="danger" busy={busy} aria-disabled={password === "" || undefined}>
          {text.endOthers}
        </Button>
      </TextField>
    </form>
  );
}

function Sessions({ homeUrl }: { homeUrl: string }) {
  const { rest } = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: ["sessions", homeUrl],
    queryFn: ({ signal }) => rest.call(homeUrl, userRoutes.listSessions, { signal }),
    refetchInterval: MINUTE,
  });
  if (data === undefined && error !== null)
    return (
      <Callout
        tone="bad"
        title={problemSentence(error)}
        actions={<Button onClick={() => void refetch()}>{strings.app.retry}</Button>}
      />
    );
  if (data === undefined) return <p className="waiting">{text.loading}</p>;
  const [own, ...others] = inOrder(data);
  return (
    <>
      <Card title={text.title} help={text.help}>
        <ul className="sessions">
          {own !== undefined && <Session key={own.id} session={own} homeUrl={homeUrl} />}
          {others.map((session) => (
            <Session key={session.id} session={session} homeUrl={homeUrl} />
          ))}
        </ul>
        {others.length === 0 && <p className="empty">{text.none}</p>}
      </Card>
      {others.length > 0 && (
        <Card title={text.others} help={text.othersHelp}>
          <EndOthers homeUrl={homeUrl} />
        </Card>
      )}
    </>
  );
}

/** Where the account is signed in, this device first (rule AU5). */
export function DevicesScreen() {
  const { accounts } = useClient();
  const homeUrl = useReadable(accounts.state, (state) => state.homeUrl);
  if (homeUrl === null) return null;
  return (
    <>
      <p className="lead">{text.lead}</p>
      <Sessions homeUrl={homeUrl} />
      <SyncCard />
      <StorageCard />
    </>
  );
}
