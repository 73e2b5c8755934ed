import { describe, expect, it } from "@jest/globals";
import { violationsIn } from "./checker.ts";
import type { Entry } from "../ledger.ts";
import { ANSWER, usersInServer, type Stage } from "./staged-ledger.ts";

const told = (break_: (stage: Stage) => void): readonly string[] => {
  const made = usersInServer();
  break_(made);
  return [...new Set(violationsIn(made.ledger.entries).map(({ invariant }) => invariant))];
};

describe("the checker of ledgers", () => {
  it("finds no violation when everything arrives once and in order", () => {
    const { ledger, pass, send, receive } = usersInServer();
    for (const id of ["m1", "m2"]) {
      send("a1", id);
      pass(5);
      for (const reader of ["a2", "b1"]) receive(reader, id, "ada");
    }
    send("a1", "s1", "sync");
    receive("a2", "s1", "ada", "sync");
    ledger.note({ kind: "accepted", mutation: "rename" });
    ledger.note({ kind: "kept", mutation: "rename" });
    ledger.note({ kind: "voice", connection: "a1", owner: "a1", fence: 1 });
    ledger.note({ kind: "voice", connection: "a2", owner: "a1", fence: 1 });
    ledger.note({ kind: "fault", name: "F1", disturbs: ["chat"] });
    ledger.note({ kind: "returned", name: "F1" });
    pass(9_000);
    ledger.note({ kind: "whole", name: "F1" });
    ledger.note({ kind: "exited", process: "auth-1", outcome: "SIGKILL", asked: true });
    ledger.note({ kind: "occupants", room: "r", users: ["ada", "bob"], expected: ["bob", "ada"] });
    expect(violationsIn(ledger.entries)).toEqual([]);
  });

  it.each<[invariant: string, what: string, broken: (stage: Stage) => void]>([
    [
      "I1",
      "an accepted mutation that is not there",
      ({ ledger }) => {
        ledger.note({ kind: "accepted", mutation: "register zoe" });
        ledger.note({ kind: "lost", mutation: "register zoe" });
      },
    ],
    [
      "I2",
      "a message to a connection that has not identified",
      ({ ledger }) => {
        ledger.note({ kind: "opened", connection: "x", user: "eve", device: "x", session: "eve's" });
        ledger.note({ kind: "heard", connection: "x", type: "user_joined" });
      },
    ],
    [
      "I3",
      "two messages of one sender in the wrong order",
      ({ pass, send, receive }) => {
        send("a1", "m1");
        send("a1", "m2");
        pass(5);
        for (const reader of ["a2", "b1"]) for (const id of ["m2", "m1"]) receive(reader, id, "ada");
      },
    ],
    [
      "I4",
      "a connection that outlives its session",
      ({ ledger, pass }) => {
        ledger.note({ kind: "ended", session: "ada's" });
        pass(1_500);
        for (const connection of ["a1", "a2"]) ledger.note({ kind: "closed", connection, code: 4501 });
      },
    ],
    [
      "I4",
      "a session that identifies after its end",
      ({ ledger, pass, enter }) => {
        ledger.note({ kind: "ended", session: "old" });
        pass(2_000);
        enter("a3", "ada", "old");
      },
    ],
    [
      "I5",
      "auth_error for a session in force",
      ({ ledger }) => ledger.note({ kind: "refused", session: "ada's", code: "auth_error", where: "a1" }),
    ],
    [
      "I6",
      "two live connections of one device",
      ({ pass, enter }) => {
        enter("a3", "ada", "ada's", "phone");
        enter("a4", "ada", "ada's", "phone");
        pass(2_100);
        enter("a5", "ada");
      },
    ],
    [
      "I6",
      "no survivor",
      ({ ledger, enter }) => {
        for (const connection of ["a3", "a4"]) enter(connection, "ada", "ada's", "phone");
        for (const connection of ["a3", "a4"]) ledger.note({ kind: "closed", connection, code: 4503 });
      },
    ],
    [
      "I7",
      "two owners with one fence",
      ({ ledger }) => {
        ledger.note({ kind: "voice", connection: "a1", owner: "a1", fence: 7 });
        ledger.note({ kind: "voice", connection: "a2", owner: "a2", fence: 7 });
      },
    ],
    [
      "I7",
      "a fence that goes back",
      ({ ledger }) => {
        for (const fence of [7, 6]) ledger.note({ kind: "voice", connection: "a1", owner: "a1", fence });
      },
    ],
    [
      "I7",
      "a device that missed the last owner",
      ({ ledger }) => {
        for (const connection of ["a1", "a2"])
          ledger.note({ kind: "voice", connection, owner: "a1", fence: 1 });
        ledger.note({ kind: "voice", connection: "a2", owner: "a2", fence: 2 });
      },
    ],
    [
      "I8",
      "one's own broadcast",
      ({ send, receive }) => {
        send("a1", "m1");
        for (const reader of ["a1", "a2", "b1"]) receive(reader, "m1", "ada");
      },
    ],
    [
      "I8",
      "a message twice",
      ({ send, receive }) => {
        send("a1", "m1");
        for (const reader of ["a2", "b1", "b1"]) receive(reader, "m1", "ada");
      },
    ],
    [
      "I8",
      "a message that never came",
      ({ send, receive }) => {
        send("a1", "m1");
        receive("b1", "m1", "ada");
      },
    ],
    [
      "I8",
      "a message that never came behind a fault that excuses nothing",
      ({ ledger, send, receive }) => {
        ledger.note({ kind: "fault", name: "F2", disturbs: ["sync"] });
        send("a1", "m1");
        receive("b1", "m1", "ada");
      },
    ],
    [
      "I8",
      "a message to somebody outside",
      ({ ledger, send, receive }) => {
        ledger.note({ kind: "opened", connection: "c1", user: "cleo", device: "c1", session: "cleo's" });
        ledger.note({ kind: "identified", connection: "c1" });
        send("a1", "m1");
        for (const reader of ["a2", "b1", "c1"]) receive(reader, "m1", "ada");
      },
    ],
    [
      "I9",
      "account_sync to another user",
      ({ send, receive }) => {
        send("a1", "s1", "sync");
        for (const reader of ["a2", "b1"]) receive(reader, "s1", "ada", "sync");
      },
    ],
    ["I9", "account_sync that never came to the other device", ({ send }) => send("a1", "s1", "sync")],
    [
      "I9",
      "a payload that changed on its way",
      ({ ledger, send }) => {
        send("a1", "s1", "sync");
        const changed = { id: "s1", traffic: "sync", from: "ada", content: "other" } as const;
        ledger.note({ kind: "received", connection: "a2", ...changed });
      },
    ],
    [
      "I10",
      "a sender that is said to be another",
      ({ send, receive }) => {
        send("a1", "m1");
        for (const reader of ["a2", "b1"]) receive(reader, "m1", "bob");
      },
    ],
    [
      "I12",
      "a process that nobody asked to end",
      ({ ledger }) => ledger.note({ kind: "exited", process: "presence-2", outcome: "1", asked: false }),
    ],
    [
      "I13",
      "a token in a log",
      ({ ledger }) => ledger.note({ kind: "leaked", where: "the log of auth-1", what: "a token" }),
    ],
    [
      "I15",
      "an answer for an ended session",
      ({ ledger, pass }) => {
        for (const connection of ["a1", "a2"]) ledger.note({ kind: "closed", connection, code: 4501 });
        ledger.note({ kind: "ended", session: "ada's" });
        pass(100);
        ledger.note({ ...ANSWER, session: "ada's" });
      },
    ],
    [
      "I15",
      "an answer for no session at all",
      ({ ledger }) => {
        ledger.note({ ...ANSWER, session: "none" });
      },
    ],
    [
      "I16",
      "a service that takes too long",
      ({ ledger, pass }) => {
        ledger.note({ kind: "returned", name: "F7" });
        pass(10_001);
        ledger.note({ kind: "whole", name: "F7" });
      },
    ],
    ["I16", "a service that never comes back", ({ ledger }) => ledger.note({ kind: "returned", name: "F7" })],
    [
      "I16",
      "a request that fails without a fault",
      ({ ledger }) => {
        ledger.note({ ...ANSWER, status: 503 });
      },
    ],
    [
      "GW5",
      "an answer that takes too long",
      ({ ledger }) => {
        ledger.note({ ...ANSWER, tookMs: 6_001 });
      },
    ],
    [
      "ER6",
      "trouble that is answered as an error of the product's own",
      ({ ledger }) => {
        ledger.note({ kind: "fault", name: "F8", disturbs: [] });
        ledger.note({ ...ANSWER, status: 500 });
      },
    ],
    [
      "ghost",
      "somebody who is gone",
      ({ ledger }) => ledger.note({ kind: "occupants", room: "r", users: ["ada", "bob"], expected: ["ada"] }),
    ],
    [
      "ghost",
      "somebody who is missing",
      ({ ledger }) => ledger.note({ kind: "occupants", room: "r", users: ["ada"], expected: ["ada", "bob"] }),
    ],
  ])("%s finds %s", (invariant, _what, broken) => {
    expect(told(broken)).toEqual([invariant]);
  });

  it("excuses a loss during a fault, but not before or after it", () => {
    const { ledger, pass, send } = usersInServer();
    const lostAt = (): void => {
      pass(10);
      send("a1", `m${ledger.entries.length}`);
      pass(10);
    };
    ledger.note({ kind: "fault", name: "F6", disturbs: ["chat"] });
    lostAt();
    ledger.note({ kind: "whole", name: "F6" });
    expect(violationsIn(ledger.entries)).toEqual([]);
    lostAt();
    expect(violationsIn(ledger.entries).map(({ invariant }) => invariant)).toEqual(["I8", "I8"]);
  });

  it("expects nothing of a connection that is leaving or joined too late", () => {
    const { ledger, pass, enter, send } = usersInServer();
    send("b1", "m1");
    pass(2_000);
    for (const connection of ["a1", "a2"]) ledger.note({ kind: "closed", connection, code: 1006 });
    enter("a3", "ada");
    const entries: readonly Entry[] = ledger.entries;
    expect(violationsIn(entries)).toEqual([]);
  });
});
