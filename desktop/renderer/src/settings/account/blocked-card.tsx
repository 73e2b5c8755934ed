import { useQuery } from "@tanstack/react-query";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { Username } from "../../people/username.tsx";
import { strings } from "../../strings/strings.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { useAction } from "../../ui/use-action.ts";
import "../rows.css";

const text = strings.people.list;

/** A new device hears of the blocks before it knows the people. */
const LOOK_AGAIN_MS = 1_000;

function BlockedPerson({ url, userId }: { url: string; userId: string }) {
  const { blocks, store } = useClient();
  const { busy, problem, run } = useAction();
  const { data: person } = useQuery({
    queryKey: ["stored-person", url, userId],
    queryFn: async () => (await store.user(userId, url)) ?? null,
    refetchInterval: ({ state }) => (state.data ? false : LOOK_AGAIN_MS),
  });
  const name = person?.displayName ?? userId;
  return (
    <li className="session">
      <div className="row-text">
        <p className="label">
          <bdi>{name}</bdi>
          <Username username={person?.username} />
        </p>
        <p className="quiet">{text.at(new URL(url).host)}</p>
        {problem !== undefined && <p className="problem">{problem}</p>}
      </div>
      <Button
        busy={busy}
        aria-label={text.unblockNamed(name)}
        onClick={() => void run(() => blocks.unblock(url, userId), strings.people.unblocked(name))}
      >
        {strings.people.unblock}
      </Button>
    </li>
  );
}

/** AB12: whom the account has blocked, on every instance. */
export function BlockedCard() {
  const { blocks } = useClient();
  const blocked = useReadable(blocks.state, (state) => state);
  const people = [...blocked].flatMap(([url, ids]) => [...ids].map((userId) => ({ url, userId })));
  return (
    <Card title={text.title} help={text.help}>
      {people.length === 0 ? (
        <p className="empty">{text.empty}</p>
      ) : (
        <ul className="sessions">
          {people.map(({ url, userId }) => (
            <BlockedPerson key={`${url} ${userId}`} url={url} userId={userId} />
          ))}
        </ul>
      )}
    </Card>
  );
}
