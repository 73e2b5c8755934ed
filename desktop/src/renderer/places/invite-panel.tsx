import { moderationRoutes } from "@hearth/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ClientProblem } from "../../client/problem.ts";
import type { DeviceRoom } from "../../device/records.ts";
import { useClient } from "../client-context.tsx";
import { inviteLink } from "../directory/invite-text.ts";
import { useShell } from "../frame/shell-context.tsx";
import { useAct } from "../frame/use-act.ts";
import { format } from "../format.ts";
import { strings } from "../strings.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { useNow } from "../ui/use-now.ts";
import { Form } from "./form.tsx";
import { forgetInvite, madeInvites, rememberInvite } from "./invites.ts";
import type { MadeInvite } from "./invites.ts";
import { EXPIRY_ORDER, USE_ORDER, inviteBody, toldEnd } from "./lifetimes.ts";
import type { Expiry, UseLimit } from "./lifetimes.ts";
import { Select } from "./select.tsx";
import { useSubmit } from "./use-submit.ts";

const text = strings.places.invite;

const invitesKey = (roomId: string) => ["made-invites", roomId] as const;

function InviteRow({ room, invite }: { room: DeviceRoom; invite: MadeInvite }) {
  const { rest, store } = useClient();
  const queries = useQueryClient();
  const act = useAct();
  const now = useNow();
  const { code, expiresAt, maxUses } = invite;
  const isOver = expiresAt !== null && expiresAt <= now;
  const revoke = (): void =>
    act(async () => {
      try {
        await rest.call(room.signalServerUrl, moderationRoutes.deleteInvite, { params: { code } });
      } catch (error) {
        if (!(error instanceof ClientProblem) || error.code !== "NOT_FOUND") throw error;
      }
      await forgetInvite(store, room.id, code);
      await queries.invalidateQueries({ queryKey: invitesKey(room.id) });
    }, text.revoked);
  const ends = expiresAt === null ? text.endsNever : text.ends(format.relative(toldEnd(expiresAt, now), now));
  return (
    <li className="line">
      <span className="line-names">
        <code dir="ltr">{code}</code>
        <span className="quiet">
          {isOver ? text.expired : ends} ·{" "}
          {maxUses === null ? text.usesAny : text.usesLeft(format.count(maxUses))}
        </span>
      </span>
      {!isOver && <CopyButton text={inviteLink(room.signalServerUrl, code)} what={text.copyLink} />}
      <Button aria-label={text.revokeNamed(code)} onClick={revoke}>
        {text.revoke}
      </Button>
    </li>
  );
}

function MadeInvites({ room }: { room: DeviceRoom }) {
  const { store } = useClient();
  const { data: invites = [] } = useQuery({
    queryKey: invitesKey(room.id),
    queryFn: () => madeInvites(store, room.id),
  });
  return (
    <section className="section" aria-label={text.list}>
      <h3 className="list-heading">{text.list}</h3>
      {invites.length === 0 ? (
        <p className="quiet">{text.none}</p>
      ) : (
        <ul className="lines">
          {invites.map((invite) => (
            <InviteRow key={invite.code} room={room} invite={invite} />
          ))}
        </ul>
      )}
      <p className="quiet">{text.listHelp}</p>
    </section>
  );
}

/** Makes links that let people in, and takes them back. */
export function InvitePanel({ room }: { room: DeviceRoom }) {
  const { platform, rest, store } = useClient();
  const queries = useQueryClient();
  const { tell } = useShell();
  const submit = useSubmit();
  const [expiry, setExpiry] = useState<Expiry>("week");
  const [limit, setLimit] = useState<UseLimit>("any");
  const make = async (): Promise<void> => {
    const body = inviteBody(expiry, limit, platform.now());
    const { id, signalServerUrl } = room;
    const invite = await rest.call(signalServerUrl, moderationRoutes.createInvite, { params: { id }, body });
    await rememberInvite(store, id, invite);
    await queries.invalidateQueries({ queryKey: invitesKey(id) });
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
      <MadeInvites room={room} />
    </>
  );
}
