import { Get, Path, Response, Route, Security, Tags } from "@tsoa/runtime";
import type { DeviceUser } from "@hearth/device";
import { DeviceController } from "./device-controller.ts";

@Route("api/users")
@Tags("People")
@Security("bearer")
export class UsersController extends DeviceController {
  /**
   * @summary Read a user
   * @returns The user
   */
  @Get("{userId}")
  @Response(404, "NOT_FOUND")
  @Response(503, "UNAVAILABLE")
  async getUser(@Path() userId: string): Promise<DeviceUser> {
    return this.found(await this.ports.reader.user(userId), "user");
  }
}
