import { useEffect, useRef, useState } from "react";
import type { Instance } from "@hearth/client";
import type { ConnectionState } from "@hearth/client";
import { hostOf } from "../../strings/host.ts";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useAnnouncer } from "../../ui/announcer.tsx";
import { useRoute } from "../../navigation/navigation.tsx";
import { needsSignIn } from "../rail/badge.ts";
import { signInAt } from "../../navigation/sign-in-at.ts";
import { isReturn, noticeOf } from "./connection-notice.ts";
import type { ConnectionNotice } from "./connection-notice.ts";
import "../notice.css";

const { connection: text, signIn, provisioned } = strings.shell;
const BACK_MS = 4_000;

function sentenceOf(notice: ConnectionNotice, host: string): readonly [title: string, help: string | null] {
  switch (notice.kind) {
    case "no-network":
      return [text.noNetwork, text.noNetworkHelp];
    case "connecting":
      return [text.connecting(host), null];
    case "waiting":
      return [text.waiting(host, notice.seconds), null];
    case "superseded":
      return [text.superseded, text.supersededHelp];
    case "ended":
      return [text.ended(host), notice.reason === null ? null : (text.endings[notice.reason] ?? null)];
  }
}

/** True for a moment after an outage that was told. */
function useReturn(url: string): boolean {
  const { connections, platform } = useClient();
  const { say } = useAnnouncer();
  const [isBack, setIsBack] = useState(false);
  const forget = useRef(0);
  useEffect(() => {
    const end = connections.states.subscribe((after, before) => {
      const [now, then] = [after.get(url), before.get(url)];
      if (now === undefined || then === undefined || !isReturn(then, now, platform.now())) return;
      setIsBack(true);
      say(text.back(hostOf(url)));
      clearTimeout(forget.current);
      forget.current = window.setTimeout(() => setIsBack(false), BACK_MS);
    });
    return () => {
      clearTimeout(forget.current);
      end();
    };
  }, [connections, platform, say, url]);
  return isBack;
}

/** Counts down while something is wrong. */
function Trouble({ instance, state }: { instance: Instance; state: ConnectionState }) {
  const { connections, platform } = useClient();
  useNow(1_000);
  const isNetworkThere = useReadable(platform.attention, ({ isOnline }) => isOnline);
  const notice = noticeOf(state, instance.authorization, isNetworkThere, platform.now());
  if (notice === null) return null;
  const [title, help] = sentenceOf(notice, hostOf(instance.url));
  const isOver = notice.kind === "superseded" || notice.kind === "ended";
  return (
    <div className="notice" data-tone={isOver ? "bad" : "busy"}>
      <p>
        <strong>{title}</strong> {help}
      </p>
      <Button onClick={() => connections.of(instance.url)?.retryNow()}>
        {notice.kind === "superseded" ? text.useHere : text.retryNow}
      </Button>
    </div>
  );
}

function Connection({ instance }: { instance: Instance }) {
  const { connections } = useClient();
  const state = useReadable(connections.states, (states) => states.get(instance.url));
  const isBack = useReturn(instance.url);
  if (state !== undefined && state.status !== "online") return <Trouble instance={instance} state={state} />;
  if (!isBack) return null;
  return (
    <p className="notice" data-tone="good">
      {text.back(hostOf(instance.url))}
    </p>
  );
}

function SignIn({ instance: { url, failure } }: { instance: Instance }) {
  const route = useRoute();
  return (
    <div className="notice" data-tone="bad">
      <p>
        <strong>{signIn.title(hostOf(url))}</strong> {failure !== null && signIn.reasons[failure]}{" "}
        {signIn.help}
      </p>
      <Button tone="primary" onClick={() => signInAt(url, route)}>
        {signIn.again}
      </Button>
    </div>
  );
}

/** Nothing is made for somebody without their knowing of it. */
function Provisioned({ instance: { url, account } }: { instance: Instance }) {
  const { accounts } = useClient();
  const wanted = useReadable(
    accounts.state,
    ({ instances }) => instances.find(({ isHome }) => isHome)?.account?.username ?? "",
  );
  if (account === null) return null;
  const { username, displayName } = account;
  return (
    <div className="notice" data-tone="plain">
      <p>
        <strong>{provisioned.title(hostOf(url))}</strong>{" "}
        {username === wanted
          ? provisioned.same(username)
          : provisioned.renamed(wanted, username, displayName)}
      </p>
      <Button onClick={() => accounts.acknowledge(url)}>{provisioned.acknowledge}</Button>
    </div>
  );
}

/** The notices about one instance: sign-in, provisioning and connection. */
export function InstanceNotices({ instance }: { instance: Instance }) {
  const { authorization, isNewlyProvisioned, url } = instance;
  return (
    <>
      {needsSignIn(instance) && <SignIn instance={instance} />}
      {authorization === "working" && (
        <p className="notice" data-tone="busy" role="status">
          {signIn.working(hostOf(url))}
        </p>
      )}
      {isNewlyProvisioned && <Provisioned instance={instance} />}
      <Connection instance={instance} />
    </>
  );
}
