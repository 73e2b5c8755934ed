import type { DeviceMessage } from "@hearth/device";
import type { ClientStore } from "@hearth/store";
import type { ClientProblem } from "@hearth/device";
import type { TimelineMessage } from "./chat.ts";

/** Adds reactions, attachments and replies to messages. */
export interface MessageDetails {
  /**
   * The messages with all details. A message that is replied to is read once, and not at all if it is among the given
   * ones.
   */
  of(
    messages: readonly DeviceMessage[],
    nearby: ReadonlyMap<string, DeviceMessage>,
  ): Promise<readonly TimelineMessage[]>;
}

type RepliesTo = TimelineMessage["repliesTo"];

const preview = ({ id, senderId, senderDisplayName, content, deletedAt }: DeviceMessage): RepliesTo => ({
  id,
  senderId,
  senderDisplayName,
  content,
  deletedAt,
});

export function createMessageDetails(
  store: Pick<ClientStore, "message" | "reactions" | "messageAttachments">,
  problemOf: (message: DeviceMessage) => Promise<ClientProblem | null>,
): MessageDetails {
  /** A removed message has neither reactions nor attachments, and an unsent one has no reactions. */
  async function withDetails(
    message: DeviceMessage,
    answered: ReadonlyMap<string, RepliesTo>,
  ): Promise<TimelineMessage> {
    const isRemoved = message.deletedAt !== null;
    const [reactions, attachments, problem] = await Promise.all([
      isRemoved ? [] : store.reactions(message.id),
      isRemoved ? [] : store.messageAttachments(message.id),
      message.delivery === "sent" ? null : problemOf(message),
    ]);
    const repliesTo = message.replyToId === null ? null : (answered.get(message.replyToId) ?? null);
    return { ...message, reactions: reactions ?? [], attachments: attachments ?? [], repliesTo, problem };
  }

  async function answeredBy(
    messages: readonly DeviceMessage[],
    nearby: ReadonlyMap<string, DeviceMessage>,
  ): Promise<ReadonlyMap<string, RepliesTo>> {
    const here = new Map([...nearby, ...messages.map((message) => [message.id, message] as const)]);
    const ids = new Set(messages.map(({ replyToId }) => replyToId).filter((id) => id !== null));
    return new Map(
      await Promise.all(
        [...ids].map(async (id) => {
          const message = here.get(id) ?? (await store.message(id));
          return [id, message ? preview(message) : null] as const;
        }),
      ),
    );
  }

  return {
    async of(messages, nearby) {
      const answered = await answeredBy(messages, nearby);
      return Promise.all(messages.map((message) => withDetails(message, answered)));
    },
  };
}
