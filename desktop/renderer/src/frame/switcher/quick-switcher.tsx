import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import type { Member } from "@hearth/contracts";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { format } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import { Icon } from "../../ui/icon.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { peopleOf } from "../../people/member-groups.ts";
import { membersKey } from "../../people/use-members.ts";
import { navigate } from "../../navigation/navigation.tsx";
import type { Route } from "../../navigation/routes.ts";
import { useShell } from "../../context/shell-context.tsx";
import { sendPageCommand } from "../../context/page-commands.ts";
import { entriesOf, found } from "./entries.ts";
import type { SwitcherEntry } from "./entries.ts";
import "../../ui/lists.css";
import "../../ui/overlays/dialog.css";
import "./quick-switcher.css";

const { switcher: text, ...shell } = strings.shell;

/** Everything that can be jumped to from here. */
function useEntries(route: Route): readonly SwitcherEntry[] {
  const { chat, servers } = useClient();
  const queries = useQueryClient();
  const known = useReadable(servers.state, (state) => state.servers);
  const activity = useReadable(chat.state, (state) => state.activity);
  return useMemo(() => {
    const server = route.area === "room" ? known.get(route.roomId) : undefined;
    const members = server && queries.getQueryData<readonly Member[]>(membersKey(server.room.id));
    const people = server && peopleOf(members ?? [], server.present);
    return entriesOf({
      servers: [...known.values()].filter(({ room }) => room.kind === "server"),
      activity,
      people: people === undefined ? [] : [...people.online, ...people.offline],
      roomName: server?.room.name ?? null,
    });
  }, [known, activity, route, queries]);
}

function goTo(entry: SwitcherEntry): void {
  switch (entry.kind) {
    case "room":
      navigate({ area: "room", roomId: entry.roomId, channelId: null, messageId: null });
      return;
    case "channel":
      navigate({ area: "room", ...entry.channel, messageId: null });
      return;
    case "person":
      sendPageCommand("person", entry.userId);
  }
}

function Entry({ entry, onChoose }: { entry: SwitcherEntry; onChoose: (entry: SwitcherEntry) => void }) {
  return (
    <Autocomplete.Item value={entry} className="switcher-item" onClick={() => onChoose(entry)}>
      {entry.kind === "channel" ? (
        <span className="switcher-icon">
          <Icon name="hash" size={18} />
        </span>
      ) : (
        <Avatar
          id={entry.kind === "room" ? entry.roomId : entry.userId}
          name={entry.name}
          size="small"
          shape={entry.kind === "room" ? "server" : "user"}
        />
      )}
      <span className="switcher-name">{entry.name}</span>
      <span className="quiet switcher-detail">{entry.detail}</span>
      {entry.mentions > 0 ? (
        <span className="count" data-kind="mentions">
          {shell.mentionCount(format.count(entry.mentions), entry.mentions === 1)}
        </span>
      ) : (
        entry.unread > 0 && <span className="count">{shell.unreadCount(format.count(entry.unread))}</span>
      )}
      <span className="visually-hidden">{text.kinds[entry.kind]}</span>
    </Autocomplete.Item>
  );
}

/** Jumps to a server, a channel or a person by a few letters. */
export function QuickSwitcher({ route, onClose }: { route: Route; onClose: () => void }) {
  const { recents } = useShell();
  const [typed, setTyped] = useState("");
  const isChosen = useRef(false);
  const recent = useReadable(recents.state, (channels) => channels);
  const entries = useEntries(route);
  const here = route.area === "room" ? `${route.roomId}/${route.channelId ?? ""}` : null;
  const shown = found(
    entries.filter(({ key }) => key !== here),
    typed,
    recent,
  );
  const choose = (entry: SwitcherEntry): void => {
    isChosen.current = true;
    onClose();
    goTo(entry);
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Viewport className="dialog-area switcher-area">
          <Dialog.Popup
            className="dialog switcher"
            aria-label={text.title}
            finalFocus={() => !isChosen.current}
          >
            <Autocomplete.Root
              open
              inline
              mode="none"
              items={shown}
              value={typed}
              onValueChange={setTyped}
              itemToStringValue={({ name }: SwitcherEntry) => name}
              autoHighlight="always"
              keepHighlight
            >
              <div className="switcher-input">
                <Icon name="search" />
                <Autocomplete.Input aria-label={text.label} placeholder={text.placeholder} maxLength={100} />
                <Dialog.Close className="icon-button" aria-label={strings.servers.close}>
                  <Icon name="close" />
                </Dialog.Close>
              </div>
              <Autocomplete.Empty className="switcher-empty">
                {shown.length === 0 && text.nothing}
              </Autocomplete.Empty>
              <Autocomplete.List className="switcher-list">
                {(entry: SwitcherEntry) => <Entry key={entry.key} entry={entry} onChoose={choose} />}
              </Autocomplete.List>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
