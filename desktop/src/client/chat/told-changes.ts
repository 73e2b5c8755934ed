import type { ClientStore } from "../../store/history.ts";
import { chatRoom } from "./chat-deps.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { HeldChanges } from "./held-changes.ts";
import type { ToldChange } from "./held-changes.ts";
import { mayChange } from "./rights.ts";
import { saveAll } from "./save-all.ts";

async function writeChanges(store: ClientStore, changes: readonly ToldChange[]): Promise<void> {
  const edits = changes.filter((change) => change.kind === "edit").map(({ edit }) => edit);
  const removals = changes.filter((change) => change.kind === "removal").map(({ removal }) => removal);
  const reactions = changes.filter((change) => change.kind === "reaction").map(({ reaction }) => reaction);
  await saveAll(edits, (some) => store.editMessages(some));
  await saveAll(removals, (some) => store.removeMessages(some));
  await saveAll(reactions, (some) => store.changeReactions(some));
}

/** Judges changes that others told of, and writes those that were theirs to make. */
export class ToldChanges {
  private readonly deps: ChatDeps;
  private readonly held = new HeldChanges();

  constructor(deps: ChatDeps) {
    this.deps = deps;
  }

  /** Also what waited for these messages. Answers what was written. */
  async take(told: readonly ToldChange[], messageIds: readonly string[]): Promise<readonly ToldChange[]> {
    const released = this.held.take(messageIds);
    try {
      const all = [...released, ...told];
      const verdicts = await Promise.all(all.map(async (change) => this.isAllowed(change)));
      const changes = all.filter((_, index) => verdicts[index] === true);
      await writeChanges(this.deps.store, changes);
      return changes;
    } catch (problem) {
      for (const change of released) this.held.hold(change);
      throw problem;
    }
  }

  private async isAllowed(change: ToldChange): Promise<boolean> {
    const { store } = this.deps;
    const room = chatRoom(this.deps, change.roomId);
    const message = await store.message(change.messageId);
    if (!message) this.held.hold(change);
    return room !== undefined && message !== undefined && mayChange(store, room, message, change);
  }
}
