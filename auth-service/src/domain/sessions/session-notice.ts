import { authSubjects } from "@hearth/contracts";
import type { Bus, Log } from "@hearth/runtime";
import type { SessionRecord } from "../records.ts";

/** AB11: announces a new session to the account's other devices. A login neither waits for it nor fails with it. */
export type SessionNotice = (session: SessionRecord) => void;

export const createSessionNotice =
  (bus: Pick<Bus, "publish">, log: Log): SessionNotice =>
  ({ accountId: userId, id: sessionId, createdAt: openedAt, deviceName, ip, userAgent }) => {
    bus
      .publish(authSubjects.sessionOpened, { userId, sessionId, openedAt, deviceName, ip, userAgent })
      .catch((error: unknown) => log.warn({ err: error }, "a new session could not be announced"));
  };
