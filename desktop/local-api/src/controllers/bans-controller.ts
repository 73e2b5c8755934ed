import { Get, Path, Response, Route, Security, Tags } from "@tsoa/runtime";
import type { DeviceBan } from "@hearth/device";
import { DeviceController } from "./device-controller.ts";

/** Whether a user may not enter a room now. */
export interface BanState {
  readonly isBanned: boolean;
}

@Route("api/rooms/{roomId}/bans")
@Tags("Rooms")
@Security("bearer")
@Response(404, "NOT_FOUND")
@Response(503, "UNAVAILABLE")
export class BansController extends DeviceController {
  /**
   * Those in force now.
   * @summary List the bans of a room
   * @returns The bans in force
   */
  @Get()
  async listBans(@Path() roomId: string): Promise<readonly DeviceBan[]> {
    const { reader, clock } = this.ports;
    return this.found(await reader.bans(roomId, clock.now()), "room");
  }

  /**
   * A user of whom the device knows nothing is not banned.
   * @summary Tell whether a user is banned from a room
   * @returns Whether the user is banned
   */
  @Get("{userId}")
  async getBan(@Path() roomId: string, @Path() userId: string): Promise<BanState> {
    const { reader, clock } = this.ports;
    return { isBanned: this.found(await reader.isBanned(roomId, userId, clock.now()), "room") };
  }
}
