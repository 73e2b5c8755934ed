import type { ReactNode } from "react";
import type { LocalTokenInfo } from "@hearth/bridge";
import { format } from "../../../strings/format.ts";
import { strings } from "../../../strings/strings.ts";
import { Button } from "../../../ui/button.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { hostOf } from "../../../strings/host.ts";
import "../../../ui/card.css";
import "./tokens-table.css";

const text = strings.localApi;

interface Props {
  readonly tokens: readonly LocalTokenInfo[];
  readonly busy: boolean;
  readonly onRevoke: (tokenId: string) => void;
}

function Time({ at, now }: { at: number; now: number }) {
  return (
    <time dateTime={new Date(at).toISOString()}>
      {format.relative(at, now)}
      <span className="quiet">{format.moment(at)}</span>
    </time>
  );
}

/** The roles are named, since a narrow window lays the cells out as blocks, which would take the table's from it. */
function Cell({ column, children }: { column: keyof typeof text.columns; children: ReactNode }) {
  return (
    <td role="cell" data-column={column}>
      <span className="cell-label" aria-hidden="true">
        {text.columns[column]}
      </span>
      <div className="cell">{children}</div>
    </td>
  );
}

function TokenRow({
  token,
  now,
  busy,
  onRevoke,
}: { token: LocalTokenInfo; now: number } & Omit<Props, "tokens">) {
  const { id, username, serverUrl, remoteAddress, userAgent, createdAt, lastUsedAt, expiresAt } = token;
  return (
    <tr role="row">
      <Cell column="account">
        <strong>{username}</strong>
        <span className="quiet">{text.via(hostOf(serverUrl))}</span>
      </Cell>
      <Cell column="from">
        <span dir="ltr">{remoteAddress}</span>
        <span className="quiet agent">{userAgent ?? text.unknownProgram}</span>
      </Cell>
      <Cell column="created">
        <Time at={createdAt} now={now} />
      </Cell>
      <Cell column="lastUsed">
        {lastUsedAt === null ? text.neverUsed : <Time at={lastUsedAt} now={now} />}
      </Cell>
      <Cell column="expires">
        <Time at={expiresAt} now={now} />
      </Cell>
      <td role="cell" data-column="actions">
        <Button
          aria-label={text.revokeNamed(username, remoteAddress)}
          busy={busy}
          onClick={() => onRevoke(id)}
        >
          {text.revoke}
        </Button>
      </td>
    </tr>
  );
}

const COLUMNS = ["account", "from", "created", "lastUsed", "expires"] as const;

export function TokensTable({ tokens, busy, onRevoke }: Props) {
  const now = useNow();
  return (
    <table className="tokens" role="table" aria-label={text.tokens}>
      <thead role="rowgroup">
        <tr role="row">
          {COLUMNS.map((column) => (
            <th key={column} role="columnheader" scope="col">
              {text.columns[column]}
            </th>
          ))}
          <th role="columnheader" scope="col">
            <span className="visually-hidden">{text.columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} now={now} busy={busy} onRevoke={onRevoke} />
        ))}
      </tbody>
    </table>
  );
}
