import { Get, Route, Tags } from "@tsoa/runtime";
import { DeviceController } from "./device-controller.ts";

/** Whether the local API serves, and how far it can be reached. */
export interface Health {
  /** `ok` */
  readonly status: string;
  /** Of the application. */
  readonly version: string;
  /**
   * The device's time.
   * @isLong
   */
  readonly timestamp: number;
  /** True when other machines may connect. */
  readonly exposeOnLan: boolean;
}

@Route("api/health")
@Tags("About")
export class HealthController extends DeviceController {
  /**
   * Needs no token.
   * @summary Tell whether the local API serves
   * @returns Whether it serves
   */
  @Get()
  async getHealth(): Promise<Health> {
    const { version, clock, settings } = this.ports;
    return { status: "ok", version, timestamp: clock.now(), exposeOnLan: settings().exposeOnLan };
  }
}
