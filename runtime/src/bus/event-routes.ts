import type { Subscription } from "./bus.ts";

export type Receive = (payload: unknown) => void;

interface Group {
  readonly members: Receive[];
  next: number;
}

const without = <Item>(items: Item[], item: Item): void => {
  const index = items.indexOf(item);
  if (index >= 0) items.splice(index, 1);
};

/** Takes turns among members that may come and go. */
export const nextOf = <Item>(group: {
  readonly members: readonly Item[];
  next: number;
}): Item | undefined => {
  if (group.next >= group.members.length) group.next = 0;
  const member = group.members[group.next];
  group.next += 1;
  return member;
};

/** Who receives one subject's events: every plain subscriber, and one member of each queue group. */
export class EventRoutes {
  readonly #plain: Receive[] = [];
  readonly #groups = new Map<string, Group>();

  add(receive: Receive, queue: string | undefined): Subscription {
    const members = queue === undefined ? this.#plain : this.#group(queue).members;
    members.push(receive);
    let open = true;
    return {
      close: () => {
        if (open) without(members, receive);
        open = false;
      },
    };
  }

  receivers(): readonly Receive[] {
    const chosen = [...this.#plain];
    for (const group of this.#groups.values()) {
      const member = nextOf(group);
      if (member) chosen.push(member);
    }
    return chosen;
  }

  #group(queue: string): Group {
    const existing = this.#groups.get(queue);
    if (existing) return existing;
    const group: Group = { members: [], next: 0 };
    this.#groups.set(queue, group);
    return group;
  }
}
