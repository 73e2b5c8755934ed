import { Get, Response, Route, Security, Tags } from "@tsoa/runtime";
import type { DeviceAttachment } from "@hearth/device";
import { DeviceController } from "./device-controller.ts";

@Route("api/attachments")
@Tags("Messages")
@Security("bearer")
export class AttachmentsController extends DeviceController {
  /**
   * Of every room, in the order of (`createdAt`, `id`). Where the bytes lie on this machine is not told.
   * @summary List all attachments
   * @returns The attachments
   */
  @Get()
  @Response(503, "UNAVAILABLE")
  async listAttachments(): Promise<readonly DeviceAttachment[]> {
    return this.ports.reader.attachments();
  }
}
