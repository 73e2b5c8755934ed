import { moderationRoutes } from "@hearth/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ClientProblem } from "@hearth/device";
import type { DeviceRoom } from "@hearth/device";
import { useClient } from "../../context/client-context.tsx";
import { inviteLink } from "./invite-text.ts";
import { useShell } from "../../context/shell-context.tsx";
import { isModerator } from "../../people/member-actions.ts";
import { useAct } from "../../context/use-act.ts";
import { format, toldEnd } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { allPages } from "../../context/all-pages.ts";
import { Form } from "../../ui/fields/form.tsx";
import { forgetInvite, madeInvites, rememberInvite } from "./invites.ts";
import type { MadeInvite } from "./invites.ts";
import { EXPIRY_ORDER, USE_ORDER, inviteBody } from "./lifetimes.ts";
import type { Expiry, UseLimit } from "./lifetimes.ts";
import { Select } from "../../ui/fields/select.tsx";
import { useAction } from "../../ui/use-action.ts";
import "../../ui/lists.css";
import "../panels.css";

const text = strings.servers.invite;

const madeKey = (roomId: string) => ["made-invites", roomId] as const;
const allKey = (roomId: string) => ["invites", roomId] as const;

/** An invite, with its maker and its uses where the instance lists them. */
type ShownInvite = MadeInvite & { readonly maker?: string; readonly uses?: number };

const MAX_PAGES = 10;

function detailsOf({ expiresAt, maxUses, maker, uses }: ShownInvite, now: number): string {
  const isOver = expiresAt !== null && expiresAt <= now;
  const ends = expiresAt === null ? text.endsNever : text.ends(format.relative(toldEnd(expiresAt, now), now));
  const limit = maxUses === null ? text.usesAny : text.usesLeft(format.count(maxUses));
  const used =
    uses === undefined
      ? limit
      : text.used(uses, format.count(uses), maxUses === null ? null : format.count(maxUses));
  return [isOver ? text.expired : ends, used, ...(maker === undefined ? [] : [text.by(maker)])].join(" · ");
}

function InviteRow({ room, invite }: { room: DeviceRoom; invite: ShownInvite }) {
  const { rest, store } = useClient();
  const queries = useQueryClient();
  const act = useAct();
  const now = useNow();
  const { code, expiresAt } = invite;
  const revoke = (): void =>
    act(async () => {
      try {
        await rest.call(room.signalServerUrl, moderationRoutes.deleteInvite, { params: { code } });
      } catch (error) {
        if (!(error instanceof ClientProblem) || error.code !== "NOT_FOUND") throw error;
      }
      await forgetInvite(store, room.id, code);
      await queries.invalidateQueries({ queryKey: madeKey(room.id) });
      await queries.invalidateQueries({ queryKey: allKey(room.id) });
    }, text.revoked);
  return (
    <li className="line">
      <span className="line-names">
        <code dir="ltr">{code}</code>
        <span className="quiet">{detailsOf(invite, now)}</span>
      </span>
      {(expiresAt === null || expiresAt > now) && (
        <CopyButton text={inviteLink(room.signalServerUrl, code)} what={text.copyLink} />
      )}
      <Button aria-label={text.revokeNamed(code)} onClick={revoke}>
        {text.revoke}
      </Button>
    </li>
  );
}

/** AB9: all of the server's invites, for those who moderate it; `undefined` while they cannot be listed. */
function useAllInvites(room: DeviceRoom): readonly ShownInvite[] | undefined {
  const { rest, store } = useClient();
  const { data } = useQuery({
    queryKey: allKey(room.id),
    queryFn: async ({ signal }) => {
      const { items } = await allPages(MAX_PAGES, (cursor) =>
        rest.call(room.signalServerUrl, moderationRoutes.listInvites, {
          ...{ params: { id: room.id }, query: { limit: 100, cursor }, signal },
        }),
      );
      const nameOf = async (userId: string): Promise<string> =>
        userId === room.actorUserId
          ? text.you
          : ((await store.user(userId, room.signalServerUrl))?.displayName ?? text.somebody);
      return Promise.all(items.map(async (it) => ({ ...it, maker: await nameOf(it.createdBy) })));
    },
    enabled: isModerator(room.role),
    retry: false,
  });
  return data;
}

function Invites({ room }: { room: DeviceRoom }) {
  const { store } = useClient();
  const { data: made = [] } = useQuery({
    queryKey: madeKey(room.id),
    queryFn: () => madeInvites(store, room.id),
  });
  const all = useAllInvites(room);
  const invites: readonly ShownInvite[] = all ?? made;
  const label = all === undefined ? text.list : text.listAll;
  return (
    <section className="section" aria-label={label}>
      <h3 className="list-heading">{label}</h3>
      {invites.length === 0 ? (
        <p className="quiet">{all === undefined ? text.none : text.noneAtAll}</p>
      ) : (
        <ul className="lines">
          {invites.map((invite) => (
            <InviteRow key={invite.code} room={room} invite={invite} />
          ))}
        </ul>
      )}
      {all === undefined && <p className="quiet">{text.listHelp}</p>}
    </section>
  );
}

/** Makes links that let people in, and takes them back. */
export function InvitePanel({ room }: { room: DeviceRoom }) {
  const { platform, rest, store } = useClient();
  const queries = useQueryClient();
  const { tell } = useShell();
  const submit = useAction();
  const [expiry, setExpiry] = useState<Expiry>("week");
  const [limit, setLimit] = useState<UseLimit>("any");
  const make = async (): Promise<void> => {
    const body = inviteBody(expiry, limit, platform.now());
    const { id, signalServerUrl } = room;
    const invite = await rest.call(signalServerUrl, moderationRoutes.createInvite, { params: { id }, body });
    await rememberInvite(store, id, invite);
    await queries.invalidateQueries({ queryKey: madeKey(id) });
    await queries.invalidateQueries({ queryKey: allKey(id) });
    tell(text.made);
  };
  return (
    <>
      <Form submit={submit} label={text.create} onSubmit={make}>
        <div className="form-pair">
          <Select
            label={text.expires}
            value={expiry}
            options={EXPIRY_ORDER.map((value) => ({ value, label: text.expiries[value] }))}
            onChange={setExpiry}
          />
          <Select
            label={text.uses}
            value={limit}
            options={USE_ORDER.map((value) => ({ value, label: text.useLimits[value] }))}
            onChange={setLimit}
          />
        </div>
      </Form>
      <Invites room={room} />
    </>
  );
}
