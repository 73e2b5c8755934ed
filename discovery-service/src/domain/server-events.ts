import { discoverySubjects } from "@hearth/contracts";
import type { Ports } from "./ports.ts";
import type { MemberRecord, ServerRecord } from "./records.ts";

/** DI7: published after the write, so that whoever hears of it can read it. */
export async function announceServer(
  { announce, presentation, written }: Pick<Ports, "announce" | "presentation" | "written">,
  record: ServerRecord,
): Promise<void> {
  written(record.id);
  await announce(discoverySubjects.serverUpdated, { server: await presentation.server(record) });
}

export const announceMember = (
  { announce }: Pick<Ports, "announce">,
  { serverId, userId, displayName, role }: Omit<MemberRecord, "joinedAt">,
): Promise<void> => announce(discoverySubjects.memberUpdated, { serverId, userId, displayName, role });
