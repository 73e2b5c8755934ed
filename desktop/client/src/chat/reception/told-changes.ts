import type { ClientStore } from "@hearth/store";
import { chatRoom } from "../chat-deps.ts";
import type { ChatDeps } from "../chat-deps.ts";
import { HeldChanges } from "./held-changes.ts";
import type { ToldChange } from "./held-changes.ts";
import type { Moderators } from "../moderators.ts";
import { mayChange } from "../rights.ts";
import { saveAll } from "../save-all.ts";

async function writeChanges(store: ClientStore, changes: readonly ToldChange[]): Promise<void> {
  const edits = changes.filter((change) => change.kind === "edit").map(({ edit }) => edit);
  const removals = changes.filter((change) => change.kind === "removal").map(({ removal }) => removal);
  const reactions = changes.filter((change) => change.kind === "reaction").map(({ reaction }) => reaction);
  await saveAll(edits, (some) => store.editMessages(some));
  await saveAll(removals, (some) => store.removeMessages(some));
  await saveAll(reactions, (some) => store.changeReactions(some));
}

/** What could not be judged because the server was away is judged again after this time. */
const AGAIN_MS = 30_000;

export interface ToldChangesParts {
  readonly moderators: Moderators;
  /** Called with messages that have changes waiting which can be judged now. */
  readonly again: (messageIds: readonly string[]) => void;
}

/** Judges changes that others told of, and writes those that were theirs to make. */
export class ToldChanges {
  private readonly deps: ChatDeps;
  private readonly parts: ToldChangesParts;
  private readonly held = new HeldChanges();

  constructor(deps: ChatDeps, parts: ToldChangesParts) {
    this.deps = deps;
    this.parts = parts;
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
    const room = chatRoom(this.deps, change.roomId);
    const message = await this.deps.store.message(change.messageId);
    if (!message) this.held.hold(change);
    if (!room || !message) return false;
    try {
      return await mayChange(this.parts.moderators, room, message, change);
    } catch {
      this.held.hold(change);
      this.deps.platform.later(AGAIN_MS, () => this.parts.again([change.messageId]));
      return false;
    }
  }
}
