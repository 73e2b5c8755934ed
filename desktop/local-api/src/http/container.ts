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

/** Controllers hold the status and headers of one response, so every request gets a new one. */
export function installPorts(app: Application, ports: LocalApiPorts): void {
  const get = <Controller>(controller: { prototype: Controller }): Controller =>
    new (controller as unknown as ControllerClass<Controller>)(ports);
  installed.set(app, { ports, container: { get } as IocContainer });
}

export const portsOf = (request: Request): LocalApiPorts => installedIn(request).ports;

/** Creates the controllers for the generated routes. */
export const iocContainer = (request: Request): IocContainer => installedIn(request).container;
