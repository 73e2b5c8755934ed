import { ProblemError } from "@hearth/contracts";
import { Controller } from "@tsoa/runtime";
import type { LocalApiPorts } from "../ports.ts";

/** What all controllers share. */
export class DeviceController extends Controller {
  protected readonly ports: LocalApiPorts;

  constructor(ports: LocalApiPorts) {
    super();
    this.ports = ports;
  }

  /** What the device does not have is `NOT_FOUND` (LA2). */
  protected found<Record>(record: Record | undefined, what: string): Record {
    if (record === undefined) throw new ProblemError("NOT_FOUND", `This device has no such ${what}`);
    return record;
  }
}
