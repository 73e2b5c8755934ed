import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { blockedUsers } from "@hearth/client";
import type { DeviceMessage } from "@hearth/device";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { strings } from "../../strings/strings.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../icon-button.tsx";
import { SearchResults } from "./search-results.tsx";
import "../../ui/fields/field.css";
import "./search-panel.css";

const PAUSE_MS = 250;
const MIN_LETTERS = 2;

type Scope = "room" | "everywhere";

interface Props {
  readonly roomId: string;
  readonly onChosen: (message: DeviceMessage) => void;
  readonly onClose: () => void;
}

/** What was typed once its person paused. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

function useSearch(text: string, scope: Scope, roomId: string) {
  const { blocks, chat } = useClient();
  const blocked = useReadable(blocks.state, (state) => state);
  return useQuery({
    queryKey: ["chat-search", text, scope === "room" ? roomId : null, blockedUsers(blocked)],
    queryFn: () => chat.search(scope === "room" ? { text, roomId } : { text }),
    enabled: text.length >= MIN_LETTERS,
    staleTime: 0,
    gcTime: 0,
  });
}

function Found({ query, scope, roomId, onChosen }: Omit<Props, "onClose"> & { query: string; scope: Scope }) {
  const servers = useReadable(useClient().servers.state, (state) => state.servers);
  const { data, isError, isFetching } = useSearch(query, scope, roomId);
  const shown = useDeferredValue(data);
  const { chat } = strings;
  if (query.length < MIN_LETTERS)
    return <p className="quiet search-status">{query === "" ? chat.searchHelp : chat.searchShort}</p>;
  if (isError)
    return (
      <p className="problem search-status" role="alert">
        {chat.searchFailed}
      </p>
    );
  return (
    <>
      <p className="quiet search-status" role="status">
        {shown === undefined || isFetching ? chat.searching : chat.found(shown.length)}
      </p>
      {shown?.length === 0 && <p className="quiet search-status">{chat.foundNothingHelp}</p>}
      {shown !== undefined && (
        <SearchResults found={shown} query={query} servers={servers} onChosen={onChosen} />
      )}
    </>
  );
}

/** Looks through the messages of this device. */
export function SearchPanel({ roomId, onChosen, onClose }: Props) {
  const [text, setText] = useState("");
  const [scope, setScope] = useState<Scope>("room");
  const query = usePaused(text.trim());
  const panel = useRef<HTMLElement>(null);
  const scopeName = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === "Escape") {
      event.stopPropagation();
      onClose();
    } else if (
      event.key === "ArrowDown" &&
      event.target instanceof HTMLInputElement &&
      event.target.type === "search"
    ) {
      event.preventDefault();
      panel.current?.querySelector<HTMLElement>(".search-result")?.focus();
    }
  };
  const scopes = { room: strings.chat.scopeServer, everywhere: strings.chat.scopeEverywhere };
  return (
    <search className="search-panel" ref={panel} onKeyDown={onKeyDown} aria-label={strings.chat.searchHere}>
      <div className="search-head">
        <h2>{strings.chat.search}</h2>
        <IconButton label={strings.chat.closeSearch} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </div>
      <input
        className="input"
        type="search"
        // The panel was opened to type here.
        autoFocus
        value={text}
        placeholder={strings.chat.searchField}
        aria-label={strings.chat.searchField}
        onChange={({ target }) => setText(target.value)}
      />
      <fieldset className="search-scope">
        <legend className="visually-hidden">{strings.chat.scope}</legend>
        {(["room", "everywhere"] as const).map((value) => (
          <label key={value}>
            <input
              type="radio"
              name={scopeName}
              value={value}
              checked={scope === value}
              onChange={() => setScope(value)}
            />
            <span>{scopes[value]}</span>
          </label>
        ))}
      </fieldset>
      <Found query={query} scope={scope} roomId={roomId} onChosen={onChosen} />
    </search>
  );
}
