import { discoverySubjects } from "@hearth/contracts";
import type { Ports } from "./ports.ts";
import type { MemberRecord, ServerRecord } from "./records.ts";

/** DI7: published after the write, so that its receivers can read the change. */
export async function announceServer(
  { announce, presentation, onServerWritten }: Pick<Ports, "announce" | "presentation" | "onServerWritten">,
  record: ServerRecord,
): Promise<void> {
  onServerWritten(record.id);
  await announce(discoverySubjects.serverUpdated, { server: await presentation.server(record) });
}

export const announceMember = (
  { announce }: Pick<Ports, "announce">,
  { serverId, userId, displayName, role }: Omit<MemberRecord, "joinedAt">,
): Promise<void> => announce(discoverySubjects.memberUpdated, { serverId, userId, displayName, role });
