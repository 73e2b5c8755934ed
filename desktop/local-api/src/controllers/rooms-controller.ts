import { Get, Path, Response, Route, Security, Tags } from "@tsoa/runtime";
import type { DeviceRoom, DeviceRoomUser } from "@hearth/device";
import { DeviceController } from "./device-controller.ts";

@Route("api/rooms")
@Tags("Rooms")
@Security("bearer")
@Response(503, "UNAVAILABLE")
export class RoomsController extends DeviceController {
  /**
   * By name: servers of chat that the account saved, and direct conversations.
   * @summary List rooms
   * @returns The rooms
   */
  @Get()
  async listRooms(): Promise<readonly DeviceRoom[]> {
    return this.ports.reader.rooms();
  }

  /**
   * @summary Read a room
   * @returns The room
   */
  @Get("{roomId}")
  @Response(404, "NOT_FOUND")
  async getRoom(@Path() roomId: string): Promise<DeviceRoom> {
    return this.found(await this.ports.reader.room(roomId), "room");
  }

  /**
   * By display name.
   * @summary List the users known for a room
   * @returns The users
   */
  @Get("{roomId}/users")
  @Response(404, "NOT_FOUND")
  async listRoomUsers(@Path() roomId: string): Promise<readonly DeviceRoomUser[]> {
    return this.found(await this.ports.reader.roomUsers(roomId), "room");
  }
}
