import { requestRoutes } from "@hearth/contracts";
import type { AccessRequest } from "@hearth/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { DeviceRoom } from "@hearth/device";
import { useClient } from "../../context/client-context.tsx";
import { membersKey } from "../../people/use-members.ts";
import { useAct } from "../../context/use-act.ts";
import { format } from "../../strings/format.ts";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Failed, Pending } from "../../ui/pending.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { useNow } from "../../ui/use-now.ts";
import { allPages } from "../../context/all-pages.ts";

const text = strings.servers.settings;
const MAX_PAGES = 10;

const requestsKey = (roomId: string) => ["requests", roomId] as const;

function RequestRow({ room, request }: { room: DeviceRoom; request: AccessRequest }) {
  const { rest } = useClient();
  const queries = useQueryClient();
  const act = useAct();
  const now = useNow();
  const { displayName: name, message, createdAt, userId } = request;
  const decide = (status: "approved" | "rejected"): void =>
    act(async () => {
      const params = { id: request.id };
      try {
        await rest.call(room.signalServerUrl, requestRoutes.decideRequest, { params, body: { status } });
      } finally {
        await queries.invalidateQueries({ queryKey: requestsKey(room.id) });
        await queries.invalidateQueries({ queryKey: membersKey(room.id) });
      }
    }, text[status](name));
  return (
    <li className="line">
      <Avatar id={userId} name={name} />
      <span className="line-names">
        <span className="label">{name}</span>
        {message !== null && <span className="line-quote">{message}</span>}
        <span className="quiet">{format.relative(createdAt, now)}</span>
      </span>
      <Button tone="primary" aria-label={text.approveNamed(name)} onClick={() => decide("approved")}>
        {text.approve}
      </Button>
      <Button aria-label={text.rejectNamed(name)} onClick={() => decide("rejected")}>
        {text.reject}
      </Button>
    </li>
  );
}

/** Who asks to be let in (rule DI4). */
export function RequestsPanel({ room }: { room: DeviceRoom }) {
  const { connections, rest } = useClient();
  const queries = useQueryClient();
  const { id, signalServerUrl: url } = room;
  const { data, error, refetch } = useQuery({
    queryKey: requestsKey(id),
    queryFn: async ({ signal }) => {
      const { items } = await allPages(MAX_PAGES, (cursor) =>
        rest.call(url, requestRoutes.listRequests, { params: { id }, query: { limit: 100, cursor }, signal }),
      );
      return items;
    },
    staleTime: 0,
  });
  useEffect(
    () =>
      connections.on((_url, message) => {
        if (message.type === "access_request") void queries.invalidateQueries({ queryKey: requestsKey(id) });
      }),
    [connections, queries, id],
  );
  if (data === undefined && error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Pending label={text.requestsLoading} rows={3} />;
  if (data.length === 0) return <p className="empty">{text.noRequests}</p>;
  return (
    <ul className="lines">
      {data.map((request) => (
        <RequestRow key={request.id} room={room} request={request} />
      ))}
    </ul>
  );
}
