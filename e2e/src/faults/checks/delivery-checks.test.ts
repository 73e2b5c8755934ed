import { describe, expect, it } from "@jest/globals";
import { violationsIn } from "./checker.ts";
import { usersInServer } from "./staged-ledger.ts";

/** Ada sends two messages during a fault and gets only the second acknowledged; both arrive in the given order. */
const inFault = (traffic: "chat" | "sync", arrivals: readonly string[]) => {
  const { ledger, pass, mention, send, receive } = usersInServer();
  ledger.note({ kind: "fault", name: "F5", disturbs: [traffic] });
  mention("a1", "old", traffic);
  pass(2_000);
  send("a1", "new", traffic);
  for (const id of arrivals)
    for (const reader of traffic === "chat" ? ["a2", "b1"] : ["a2"]) receive(reader, id, "ada", traffic);
  ledger.note({ kind: "returned", name: "F5" });
  ledger.note({ kind: "whole", name: "F5" });
  return violationsIn(ledger.entries);
};

describe.each(["chat", "sync"] as const)("the order of %s that a fault disturbs", (traffic) => {
  it("I3 is broken when a failed message arrives after the sender's next one", () => {
    const readers = traffic === "chat" ? ["a2", "b1"] : ["a2"];
    const lane = traffic === "chat" ? "r" : "sync";
    expect(inFault(traffic, ["new", "old"])).toEqual(
      readers.map((reader) => ({ invariant: "I3", what: `old came late to ${reader} from a1 ${lane}` })),
    );
  });

  it("I3 holds when a failed message arrives in order after all", () => {
    expect(inFault(traffic, ["old", "new"])).toEqual([]);
  });

  it("I3 holds when a failed message never arrives", () => {
    expect(inFault(traffic, ["new"])).toEqual([]);
  });
});
