import { moderationRoutes } from "@hearth/contracts";
import type { Ban } from "@hearth/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { DeviceRoom } from "@hearth/device";
import { useClient } from "../../context/client-context.tsx";
import { useAct } from "../../context/use-act.ts";
import { format, toldEnd } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Failed, Pending } from "../../ui/pending.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { useNow } from "../../ui/use-now.ts";
import { allPages } from "../../context/all-pages.ts";

const text = strings.servers.settings;
const MAX_PAGES = 10;

const bansKey = (roomId: string) => ["bans", roomId] as const;

/** A ban names an id; the name is what this device knows of them. */
interface NamedBan extends Ban {
  readonly name: string;
}

function BanRow({ room, ban }: { room: DeviceRoom; ban: NamedBan }) {
  const { rest } = useClient();
  const queries = useQueryClient();
  const act = useAct();
  const now = useNow();
  const { name, userId, reason, expiresAt } = ban;
  const lift = (): void =>
    act(async () => {
      const params = { id: room.id, userId };
      await rest.call(room.signalServerUrl, moderationRoutes.unban, { params });
      await queries.invalidateQueries({ queryKey: bansKey(room.id) });
    }, text.lifted(name));
  return (
    <li className="line">
      <Avatar id={userId} name={name} />
      <span className="line-names">
        <span className="label">{name}</span>
        {reason !== null && <span className="line-quote">{text.banFor(reason)}</span>}
        <span className="quiet">
          {expiresAt === null ? text.banAlways : text.banEnds(format.relative(toldEnd(expiresAt, now), now))}
        </span>
      </span>
      <Button aria-label={text.liftNamed(name)} onClick={lift}>
        {text.lift}
      </Button>
    </li>
  );
}

/** Who is kept out, for how long, and the way back. */
export function BansPanel({ room }: { room: DeviceRoom }) {
  const { rest, store, servers } = useClient();
  const { id, signalServerUrl: url } = room;
  const { data, error, refetch } = useQuery({
    queryKey: bansKey(id),
    queryFn: async ({ signal }): Promise<readonly NamedBan[]> => {
      const { items: bans, reach } = await allPages(MAX_PAGES, (cursor) =>
        rest.call(url, moderationRoutes.listBans, { params: { id }, query: { limit: 100, cursor }, signal }),
      );
      void servers.keepBans(id, bans, reach);
      const nameOf = async (userId: string) => (await store.user(userId, url))?.displayName ?? userId;
      return Promise.all(bans.map(async (ban) => ({ ...ban, name: await nameOf(ban.userId) })));
    },
  });
  if (data === undefined && error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Pending label={text.bansLoading} rows={3} />;
  if (data.length === 0) return <p className="empty">{text.noBans}</p>;
  return (
    <ul className="lines">
      {data.map((ban) => (
        <BanRow key={ban.userId} room={room} ban={ban} />
      ))}
    </ul>
  );
}
