import { moderationRoutes, serverRoutes } from "@hearth/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { DeviceRoom } from "@hearth/device";
import { useClient } from "../../context/client-context.tsx";
import { strings } from "../../strings/strings.ts";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { IconName } from "../../ui/icon.tsx";
import { Username } from "../../people/username.tsx";
import { useSafety } from "../../people/use-safety.ts";
import { MenuHeading, MenuItem, MenuSeparator, PopupMenu } from "../../ui/overlays/popup-menu.tsx";
import { useAct } from "../../context/use-act.ts";
import { BanDialog } from "./ban-dialog.tsx";
import type { Ban } from "./ban-dialog.tsx";
import { actionsOn } from "../../people/member-actions.ts";
import type { MemberAction } from "../../people/member-actions.ts";
import type { PersonHere } from "../../people/member-groups.ts";
import { membersKey } from "../../people/use-members.ts";

const text = strings.shell.members;

const ICONS: Readonly<Record<MemberAction, IconName>> = {
  "make-moderator": "shield",
  "make-member": "shield",
  transfer: "star",
  remove: "leave",
  ban: "close",
};

function useMemberActs(person: PersonHere, room: DeviceRoom) {
  const { rest, servers } = useClient();
  const queries = useQueryClient();
  const act = useAct();
  const { id, signalServerUrl: url } = room;
  const { userId, displayName } = person;
  const params = { id, userId };
  const run = (action: MemberAction, work: () => Promise<unknown>): void =>
    act(async () => {
      await work();
      await queries.invalidateQueries({ queryKey: membersKey(id) });
      await queries.invalidateQueries({ queryKey: ["bans", id] });
    }, text.done[action](displayName));
  const setRole = (role: "moderator" | "member") =>
    rest.call(url, serverRoutes.setRole, { params, body: { role } });
  return {
    "make-moderator": () => run("make-moderator", () => setRole("moderator")),
    "make-member": () => run("make-member", () => setRole("member")),
    transfer: () =>
      run("transfer", () => rest.call(url, serverRoutes.transfer, { params: { id }, body: { userId } })),
    remove: () => run("remove", () => rest.call(url, serverRoutes.removeMember, { params })),
    ban: (ban: Ban) =>
      run("ban", async () =>
        servers.keepBans(id, [await rest.call(url, moderationRoutes.ban, { params, body: ban })], "part"),
      ),
  };
}

/** Who a member is, and what this account may do about them; there is none for oneself. */
export function MemberMenu({ person, room }: { person: PersonHere; room: DeviceRoom }) {
  const acts = useMemberActs(person, room);
  const safety = useSafety(room);
  const [asked, setAsked] = useState<"transfer" | "remove" | "ban" | null>(null);
  const actions = actionsOn({ userId: room.actorUserId, role: room.role }, person);
  const { displayName: name } = person;
  if (person.userId === room.actorUserId) return null;
  const choose = (action: MemberAction): void => {
    if (action === "make-moderator" || action === "make-member") acts[action]();
    else setAsked(action);
  };
  return (
    <>
      <PopupMenu
        align="end"
        trigger={
          <button type="button" className="icon-button member-more" aria-label={text.menu(name)}>
            <Icon name="more" size={18} />
          </button>
        }
      >
        <MenuHeading>
          {name}
          <Username username={person.username} />
        </MenuHeading>
        {actions.map((action) => (
          <MenuItem
            key={action}
            icon={ICONS[action]}
            tone={action === "remove" || action === "ban" ? "danger" : "plain"}
            onClick={() => choose(action)}
          >
            {text.actions[action]}
          </MenuItem>
        ))}
        {actions.length > 0 && <MenuSeparator />}
        <MenuItem icon="bell-off" onClick={() => safety.toggleBlock(person)}>
          {safety.isBlocked(person.userId) ? strings.people.unblock : strings.people.block}
        </MenuItem>
        <MenuItem icon="shield" tone="danger" onClick={() => safety.report(person)}>
          {strings.people.report}
        </MenuItem>
      </PopupMenu>
      <ConfirmDialog
        open={asked === "remove" || asked === "transfer"}
        title={asked === "transfer" ? text.transferTitle(name) : text.removeTitle(name)}
        confirm={asked === "transfer" ? text.transfer : text.remove}
        onClose={() => setAsked(null)}
        onConfirm={asked === "transfer" ? acts.transfer : acts.remove}
      >
        <p>{asked === "transfer" ? text.transferHelp : text.removeHelp}</p>
      </ConfirmDialog>
      {asked === "ban" && <BanDialog name={name} onClose={() => setAsked(null)} onBan={acts.ban} />}
    </>
  );
}
