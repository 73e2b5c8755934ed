import { Get, Path, Response, Route, Security, Tags } from "@tsoa/runtime";
import { looksSecret } from "@hearth/device";
import { DeviceController } from "./device-controller.ts";

/** A fact that the app keeps about itself. */
export interface MetaEntry {
  readonly key: string;
  readonly value: string;
}

@Route("api/meta")
@Tags("Plugins and metadata")
@Security("bearer")
export class MetaController extends DeviceController {
  /**
   * For example `app_currentUserId`. A key under which a secret may be kept is never found.
   * @summary Read a fact that the app keeps
   * @returns The fact
   */
  @Get("{key}")
  @Response(404, "NOT_FOUND")
  @Response(503, "UNAVAILABLE")
  async getMeta(@Path() key: string): Promise<MetaEntry> {
    const value = looksSecret(key) ? undefined : await this.ports.reader.meta(key);
    return { key, value: this.found(value, "key") };
  }
}
