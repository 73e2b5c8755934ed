import { Get, Response, Route, Security, Tags } from "@tsoa/runtime";
import type { DeviceProfile } from "@hearth/device";
import { DeviceController } from "./device-controller.ts";

@Route("api/profile")
@Tags("People")
@Security("bearer")
export class ProfileController extends DeviceController {
  /**
   * The account that this device belongs to; 404 on a device where nobody has signed in yet.
   * @summary Read the profile
   * @returns The profile
   */
  @Get()
  @Response(404, "NOT_FOUND")
  @Response(503, "UNAVAILABLE")
  async getProfile(): Promise<DeviceProfile> {
    return this.found(await this.ports.reader.profile(), "profile");
  }
}
