import type { ClientStore } from "@hearth/store";
import { chatRoom } from "../chat-deps.ts";
import type { ChatDeps } from "../chat-deps.ts";
import { DeferredChanges } from "./deferred-changes.ts";
import type { ReceivedChange } from "./deferred-changes.ts";
import type { Moderators } from "../moderators.ts";
import { mayChange } from "../rights.ts";
import { saveBatch } from "../save-batch.ts";

async function writeChanges(store: ClientStore, changes: readonly ReceivedChange[]): Promise<void> {
  const edits = changes.filter((change) => change.kind === "edit").map(({ edit }) => edit);
  const removals = changes.filter((change) => change.kind === "removal").map(({ removal }) => removal);
  const reactions = changes.filter((change) => change.kind === "reaction").map(({ reaction }) => reaction);
  await saveBatch(edits, (some) => store.editMessages(some));
  await saveBatch(removals, (some) => store.removeMessages(some));
  await saveBatch(reactions, (some) => store.changeReactions(some));
}

/** When a change is decided again after the instance could not be asked. */
const RETRY_MS = 30_000;

export interface ReceivedChangesParts {
  readonly moderators: Moderators;
  /** Called with messages whose deferred changes can be decided now. */
  readonly retry: (messageIds: readonly string[]) => void;
}

/** Checks received changes against the rights of their authors, and writes the allowed ones. */
export class ReceivedChanges {
  private readonly deps: ChatDeps;
  private readonly parts: ReceivedChangesParts;
  private readonly deferred = new DeferredChanges();

  constructor(deps: ChatDeps, parts: ReceivedChangesParts) {
    this.deps = deps;
    this.parts = parts;
  }

  /** Includes deferred changes of these messages. Returns what was written. */
  async apply(
    received: readonly ReceivedChange[],
    messageIds: readonly string[],
  ): Promise<readonly ReceivedChange[]> {
    const released = this.deferred.release(messageIds);
    try {
      const all = [...released, ...received];
      const decisions = await Promise.all(all.map(async (change) => this.isAllowed(change)));
      const changes = all.filter((_, index) => decisions[index] === true);
      await writeChanges(this.deps.store, changes);
      return changes;
    } catch (problem) {
      for (const change of released) this.deferred.defer(change);
      throw problem;
    }
  }

  private async isAllowed(change: ReceivedChange): Promise<boolean> {
    const room = chatRoom(this.deps, change.roomId);
    const message = await this.deps.store.message(change.messageId);
    if (!message) this.deferred.defer(change);
    if (!room || !message) return false;
    try {
      return await mayChange(this.parts.moderators, room, message, change);
    } catch {
      this.deferred.defer(change);
      this.deps.platform.later(RETRY_MS, () => this.parts.retry([change.messageId]));
      return false;
    }
  }
}
