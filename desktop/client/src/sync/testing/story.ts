import {
  befriend,
  draw,
  edit,
  erase,
  leave,
  MESSAGES,
  OTHERS,
  othersReact,
  othersWrite,
  react,
  read,
  remove,
  rename,
  save,
  unfriend,
  write,
} from "./user-actions.ts";
import type { UserAction, Event } from "./user-actions.ts";
import type { SyncWorld } from "./sync-world.ts";
import { fc } from "@hearth/device/testing";

type Step =
  | { readonly who: number; readonly action: UserAction }
  | { readonly event: Event }
  | { readonly who: number; readonly turn: "connect" | "disconnect" | "restart" }
  | { readonly handOver: number }
  | { readonly pass: number };

const who = fc.nat({ max: 4 });
const at = fc.nat({ max: 4 });
const anyMessage = fc.constantFrom(...MESSAGES, ...OTHERS);
const two = fc.constantFrom("a", "b");
const text = fc.constantFrom("first", "second", "\u{1F331}");

/** Prints the actions in a counterexample. */
const named = <Args extends readonly unknown[], Made extends object>(
  name: string,
  args: fc.Arbitrary<Args>,
  make: (...args: Args) => Made,
): fc.Arbitrary<Made> =>
  args.map((chosen) =>
    Object.assign(make(...chosen), { [fc.toStringMethod]: () => `${name}(${chosen.join(", ")})` }),
  );

const revision = fc.integer({ min: 1, max: 3 });
const actions: fc.Arbitrary<UserAction>[] = [
  named("write", fc.tuple(fc.constantFrom(...MESSAGES)), write),
  named("edit", fc.tuple(anyMessage, revision, text), edit),
  named("remove", fc.tuple(anyMessage, at), remove),
  named("react", fc.tuple(anyMessage, two, fc.boolean(), at), react),
  named("save", fc.tuple(two, at, text), save),
  named("leave", fc.tuple(two, at), leave),
  named("befriend", fc.tuple(two, at), befriend),
  named("unfriend", fc.tuple(two, at), unfriend),
  named("draw", fc.tuple(two, at, fc.nat({ max: 2 })), draw),
  named("erase", fc.tuple(two, at), erase),
  named("read", fc.tuple(anyMessage, at), read),
  named("rename", fc.tuple(text, at), rename),
];
const events: fc.Arbitrary<Event>[] = [
  named("othersWrite", fc.tuple(fc.constantFrom(...OTHERS)), othersWrite),
  named("othersReact", fc.tuple(anyMessage, fc.boolean(), at), othersReact),
];
const turn = fc.constantFrom("connect", "connect", "disconnect", "restart" as const);

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ who, action: fc.oneof(...actions) }) },
  { weight: 3, arbitrary: fc.record({ event: fc.oneof(...events) }) },
  { weight: 5, arbitrary: fc.record({ who, turn }) },
  {
    weight: 5,
    arbitrary: fc.record({ handOver: fc.integer({ min: 1, max: 20 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ pass: fc.constantFrom(10, 1_000, 90_000) }),
  },
);

export const perform = async (world: SyncWorld, chosen: Step): Promise<void> => {
  if ("handOver" in chosen) {
    for (let count = 0; count < chosen.handOver; count += 1) {
      world.relay.step();
      await world.clock.advance(1);
    }
  } else if ("pass" in chosen) await world.clock.advance(chosen.pass);
  else if ("event" in chosen) await chosen.event(world.siblings.filter(({ client }) => client.isOnline));
  else {
    const sibling = world.siblings[chosen.who % world.siblings.length];
    if (!sibling) return;
    if ("action" in chosen) await chosen.action(sibling);
    else if (chosen.turn === "restart") await sibling.restart();
    else sibling.client[chosen.turn]();
  }
};
