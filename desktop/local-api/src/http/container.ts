import type { IocContainer } from "@tsoa/runtime";
import type { Application, Request } from "express";
import type { LocalApiPorts } from "../ports.ts";

type ControllerClass<Controller> = new (ports: LocalApiPorts) => Controller;

interface Installed {
  readonly ports: LocalApiPorts;
  readonly container: IocContainer;
}

const installed = new WeakMap<object, Installed>();

const installedIn = (request: Request): Installed => {
  const found = installed.get(request.app);
  if (!found) throw new Error("The app has no ports");
  return found;
};

/** Controllers carry the status and headers of one answer, so every request gets one of its own. */
export function installPorts(app: Application, ports: LocalApiPorts): void {
  const get = <Controller>(controller: { prototype: Controller }): Controller =>
    new (controller as unknown as ControllerClass<Controller>)(ports);
  installed.set(app, { ports, container: { get } as IocContainer });
}

export const portsOf = (request: Request): LocalApiPorts => installedIn(request).ports;

/** Where the generated routes get their controllers. */
export const iocContainer = (request: Request): IocContainer => installedIn(request).container;
