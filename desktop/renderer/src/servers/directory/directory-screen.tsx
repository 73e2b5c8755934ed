import { Tabs } from "@base-ui/react/tabs";
import { useState } from "react";
import { hostOf } from "../../strings/host.ts";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { InstanceNotices } from "../../frame/connection/instance-notices.tsx";
import { RouteLink, navigate } from "../../navigation/navigation.tsx";
import { HOME } from "../../navigation/routes.ts";
import { useShell } from "../../context/shell-context.tsx";
import { useChosenInstance } from "../instance-select.tsx";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ServerShelf } from "./server-shelf.tsx";
import { useServers, useSettled } from "./use-directory.ts";
import "../panels.css";
import "../tabs.css";
import "../../frame/page.css";
import "./directory-screen.css";

const text = strings.servers.directory;
const MAX_QUERY = 200;

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <search className="directory-search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={text.search}
        placeholder={text.search}
        value={value}
        maxLength={MAX_QUERY}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
      />
      {value !== "" && (
        <button type="button" className="icon-button" aria-label={text.clear} onClick={() => onChange("")}>
          <Icon name="close" size={18} />
        </button>
      )}
    </search>
  );
}

/** So few servers are shown once, not again as the busy ones among them. */
const FEW = 9;

function Shelves({ url, onTag }: { url: string; onTag: (tag: string) => void }) {
  const { servers, hasNextPage } = useServers(url, { kind: "newest" });
  const areFew = servers !== undefined && servers.length <= FEW && !hasNextPage;
  const shelf = { url, onTag };
  return (
    <>
      <ServerShelf {...shelf} look={{ kind: "featured" }} title={text.featured} />
      {servers !== undefined && !areFew && (
        <ServerShelf {...shelf} look={{ kind: "trending" }} title={text.trending} />
      )}
      <ServerShelf {...shelf} look={{ kind: "newest" }} title={areFew ? text.everything : text.newest} />
    </>
  );
}

/** What one signaling server lists: recommendations, what is busy, what is new; or what was asked for. */
function Listing({ url }: { url: string }) {
  const [typed, setTyped] = useState("");
  const [tag, setTag] = useState<string | null>(null);
  const settled = useSettled(typed.trim());
  const search = (value: string): void => {
    setTyped(value);
    setTag(null);
  };
  const shelf = { url, onTag: setTag };
  return (
    <>
      <SearchField value={typed} onChange={search} />
      {tag !== null && (
        <>
          <p className="topic-line">
            <span className="topic" data-chosen="">
              {text.tag(tag)}
            </span>
            <Button onClick={() => setTag(null)}>{text.allTags}</Button>
          </p>
          <ServerShelf {...shelf} look={{ kind: "tag", tag }} title={text.tag(tag)} />
        </>
      )}
      {tag === null && settled !== "" && (
        <ServerShelf {...shelf} look={{ kind: "search", text: settled }} title={text.results(settled)} />
      )}
      {tag === null && settled === "" && <Shelves {...shelf} />}
    </>
  );
}

function Actions({ url }: { url: string }) {
  const { open } = useShell();
  return (
    <div className="directory-actions">
      <Button tone="primary" onClick={() => open({ kind: "create", server: url })}>
        {strings.shell.create}
      </Button>
      <Button onClick={() => open({ kind: "join" })}>{strings.shell.pasteInvite}</Button>
      <Button onClick={() => open({ kind: "request", server: url, serverId: null })}>{text.askById}</Button>
    </div>
  );
}

/** Servers of chat that are open to everybody, on each of the known signaling servers. */
export function DirectoryScreen({ server }: { server: string | null }) {
  const { accounts } = useClient();
  const { open } = useShell();
  const servers = useReadable(accounts.state, (state) => state.instances);
  const url = useChosenInstance(server);
  const chosen = servers.find((it) => it.url === url);
  return (
    <main className="main">
      <title>{strings.app.title(text.title)}</title>
      {chosen !== undefined && <InstanceNotices instance={chosen} />}
      <div className="page directory">
        <div className="page-head">
          <RouteLink to={HOME} className="icon-button only-narrow" aria-label={strings.shell.backToList}>
            <Icon name="back" />
          </RouteLink>
          <h1 tabIndex={-1} data-heading="">
            {text.title}
          </h1>
        </div>
        <p className="lead">{text.lead}</p>
        <Actions url={url} />
        <Tabs.Root
          className="tabs"
          value={url}
          onValueChange={(value: string) => navigate({ area: "directory", server: value })}
        >
          <div className="tab-line">
            <Tabs.List className="tab-list" aria-label={text.instanceTabs}>
              {servers.map((it) => (
                <Tabs.Tab key={it.url} value={it.url} className="tab">
                  <span dir="ltr">{hostOf(it.url)}</span>
                  {it.isHome && <span className="quiet">{text.home}</span>}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Button onClick={() => open({ kind: "add-server" })}>{text.addInstance}</Button>
          </div>
          {servers.map((it) => (
            <Tabs.Panel key={it.url} value={it.url} className="tab-panel">
              {it.account === null && <p className="empty">{text.noAccount}</p>}
              <Listing url={it.url} />
            </Tabs.Panel>
          ))}
        </Tabs.Root>
      </div>
    </main>
  );
}
