import { Get, Path, Query, Response, Route, Security, Tags } from "@tsoa/runtime";
import type { DeviceMessage } from "@hearth/device";
import { textOf } from "../http/json-text.ts";
import { PAGE_LIMIT, nextLink, offsetOf, pageLimitOf, positionOf, sinceOf } from "../pages.ts";
import { DeviceController } from "./device-controller.ts";

@Route("api/rooms/{roomId}/messages")
@Tags("Messages")
@Security("bearer")
@Response(404, "NOT_FOUND")
@Response(503, "UNAVAILABLE")
export class RoomMessagesController extends DeviceController {
  /**
   * In the order of (`timestamp`, `id`), removed messages included. `X-Total-Count` says how many the room has. While
   * there are more, `Link: rel="next"` leads to the next page: following it costs the same however far it goes.
   * @summary List the messages of a room
   * @param limit How many; a number outside of 1 to 500 is brought into it.
   * @param offset How many to skip.
   * @param after The position in a `next` link; it goes before `offset`.
   * @isDouble limit must be an integer
   * @isDouble offset must be an integer
   * @returns A page of messages
   */
  @Get()
  async listRoomMessages(
    @Path() roomId: string,
    @Query() limit = 100,
    @Query() offset = 0,
    @Query() after?: string,
  ): Promise<readonly DeviceMessage[]> {
    const size = pageLimitOf(limit);
    const skipped = offsetOf(offset);
    const from = after === undefined ? { offset: skipped } : positionOf(after);
    const page = this.found(await this.ports.reader.messagesJson(roomId, { limit: size, from }), "room");
    this.setHeader("X-Total-Count", String(page.total));
    if (page.next) {
      const query = { limit: size, offset: skipped + size };
      this.setHeader("Link", nextLink(`/api/rooms/${encodeURIComponent(roomId)}/messages`, query, page.next));
    }
    return textOf(page.json);
  }

  /**
   * What was created, edited or removed on this device after the time, in the order of (`updatedAt`, `id`); 500 at most.
   * While there are more, `Link: rel="next"` leads to the next ones.
   * @summary List what changed in a room
   * @param sinceTimestamp Epoch milliseconds; any integer will do.
   * @param after The position in a `next` link; it goes before `sinceTimestamp`.
   * @isDouble sinceTimestamp must be an integer
   * @returns The messages that changed
   */
  @Get("since")
  async listRoomMessagesSince(
    @Path() roomId: string,
    @Query() sinceTimestamp: number,
    @Query() after?: string,
  ): Promise<readonly DeviceMessage[]> {
    const updatedAt = sinceOf(sinceTimestamp);
    const position = after === undefined ? undefined : positionOf(after);
    const from = position ? { updatedAt: position.timestamp, id: position.id } : { updatedAt };
    const page = await this.ports.reader.messagesSinceJson(roomId, { limit: PAGE_LIMIT, after: from });
    const { json, next } = this.found(page, "room");
    if (next) {
      const path = `/api/rooms/${encodeURIComponent(roomId)}/messages/since`;
      const place = { timestamp: next.updatedAt, id: next.id };
      this.setHeader("Link", nextLink(path, { sinceTimestamp: updatedAt }, place));
    }
    return textOf(json);
  }
}
