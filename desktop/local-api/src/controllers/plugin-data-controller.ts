import { ProblemError } from "@hearth/contracts";
import { Get, Query, Response, Route, Security, Tags } from "@tsoa/runtime";
import { DeviceController } from "./device-controller.ts";

/** What a plugin keeps under a key. */
export interface PluginValue {
  /** Any JSON value. */
  readonly value: unknown;
}

@Route("api/plugin-data")
@Tags("Plugins and metadata")
@Security("bearer")
export class PluginDataController extends DeviceController {
  /**
   * @summary Read a plugin's value
   * @param serverId Needed in the scope `server`, of no account in the scope `local`.
   * @minLength pluginId 1 must not be empty
   * @minLength key 1 must not be empty
   * @returns The value
   */
  @Get()
  @Response(404, "NOT_FOUND")
  @Response(503, "UNAVAILABLE")
  async getPluginValue(
    @Query() pluginId: string,
    @Query() key: string,
    @Query() scope: "local" | "server",
    @Query() serverId?: string,
  ): Promise<PluginValue> {
    const { reader } = this.ports;
    const place = { pluginId, key, scope, serverId: scope === "server" ? serverIn(serverId) : null };
    const { value } = this.found(await reader.pluginDatum(place), "value");
    return { value };
  }
}

function serverIn(serverId: string | undefined): string {
  if (serverId) return serverId;
  throw new ProblemError("INVALID_REQUEST", undefined, {
    errors: [{ path: "serverId", message: "is needed in the scope server" }],
  });
}
