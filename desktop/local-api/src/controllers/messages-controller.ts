import { Get, Path, Response, Route, Security, Tags } from "@tsoa/runtime";
import type { DeviceAttachment, DeviceMessage, DeviceReaction } from "@hearth/device";
import { DeviceController } from "./device-controller.ts";

@Route("api/messages/{messageId}")
@Tags("Messages")
@Security("bearer")
@Response(404, "NOT_FOUND")
@Response(503, "UNAVAILABLE")
export class MessagesController extends DeviceController {
  /**
   * @summary Read a message
   * @returns The message
   */
  @Get()
  async getMessage(@Path() messageId: string): Promise<DeviceMessage> {
    return this.found(await this.ports.reader.message(messageId), "message");
  }

  /**
   * @summary List the reactions to a message
   * @returns The reactions
   */
  @Get("reactions")
  async listReactions(@Path() messageId: string): Promise<readonly DeviceReaction[]> {
    return this.found(await this.ports.reader.reactions(messageId), "message");
  }

  /**
   * @summary List the attachments of a message
   * @returns The attachments
   */
  @Get("attachments")
  async listMessageAttachments(@Path() messageId: string): Promise<readonly DeviceAttachment[]> {
    return this.found(await this.ports.reader.messageAttachments(messageId), "message");
  }
}
