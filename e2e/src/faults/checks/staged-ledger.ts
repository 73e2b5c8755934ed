import { Ledger } from "../ledger.ts";

/** A ledger whose clock the test moves. */
export const stage = () => {
  const time = { now: 0 };
  const ledger = new Ledger(() => time.now);
  const pass = (ms: number): void => {
    time.now += ms;
  };
  const enter = (connection: string, user: string, session = `${user}'s`, device = connection): void => {
    ledger.note({ kind: "opened", connection, user, device, session });
    ledger.note({ kind: "identified", connection });
    ledger.note({ kind: "joined", connection, room: "r" });
  };
  /** Sends without an acknowledgement or an error. */
  const mention = (connection: string, id: string, traffic: "chat" | "sync" = "chat"): void =>
    ledger.note({
      kind: "sent",
      connection,
      id,
      traffic,
      room: traffic === "chat" ? "r" : null,
      content: id,
    });
  const send = (connection: string, id: string, traffic: "chat" | "sync" = "chat"): void => {
    mention(connection, id, traffic);
    ledger.note({ kind: "acknowledged", connection, id });
  };
  const receive = (connection: string, id: string, from: string, traffic: "chat" | "sync" = "chat"): void =>
    ledger.note({ kind: "received", connection, id, traffic, from, content: id });
  return { ledger, pass, enter, mention, send, receive };
};
export type Stage = ReturnType<typeof stage>;

/** Ada on two devices and Bob in one server, without violations. */
export const usersInServer = (): Stage => {
  const made = stage();
  made.enter("a1", "ada");
  made.enter("a2", "ada");
  made.enter("b1", "bob");
  made.pass(10);
  return made;
};

/** A request with the expected response. */
export const ANSWER = {
  kind: "answered",
  request: "GET /api/servers",
  status: 200,
  code: "",
  session: null,
  tookMs: 1,
} as const;
