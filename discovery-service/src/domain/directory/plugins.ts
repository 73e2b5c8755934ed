import { ProblemError } from "@hearth/contracts";
import type { PluginSupport } from "@hearth/contracts";
import { authorised, staleWrite, visibleServer } from "../access.ts";
import type { Ports } from "../ports.ts";
import type { PluginRecord } from "../records.ts";

/** The list is answered whole to anybody who asks, so it stays small. */
const MAX_PLUGINS = 100;
const MAX_CONFIG_BYTES = 16 * 1024;

export interface PluginOrder {
  readonly version: string;
  readonly required: PluginSupport["required"];
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

const shown = ({ serverId: _server, revision: _revision, ...plugin }: PluginRecord) => ({
  ...plugin,
  config: plugin.config === null ? null : { ...plugin.config },
});

export type PluginView = ReturnType<typeof shown>;

const notFound = (): ProblemError =>
  new ProblemError("NOT_FOUND", "This server does not ask for this plugin");

/** DI5: the plugins that a server asks its members' clients to have. */
export class Plugins {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async list(userId: string | null, serverId: string): Promise<PluginView[]> {
    const { store } = this.#ports;
    await visibleServer(store, serverId, userId);
    return (await store.plugins.list(serverId)).map(shown);
  }

  async put(actorId: string, serverId: string, pluginId: string, order: PluginOrder): Promise<PluginView> {
    const { store, clock, newId } = this.#ports;
    const { member } = await authorised(store.members, serverId, actorId, "moderate");
    const config = order.config ?? null;
    if (Buffer.byteLength(JSON.stringify(config)) > MAX_CONFIG_BYTES) {
      throw new ProblemError("INVALID_REQUEST", "The plugin's configuration is too large", {
        errors: [{ path: "config", message: `must not exceed ${MAX_CONFIG_BYTES} bytes as JSON` }],
      });
    }
    const before = await store.plugins.find(serverId, pluginId);
    if (before === null && (await store.plugins.list(serverId)).length >= MAX_PLUGINS) {
      throw new ProblemError("CONFLICT", `A server asks for at most ${MAX_PLUGINS} plugins`);
    }
    const plugin: PluginRecord = {
      serverId,
      pluginId,
      version: order.version,
      required: order.required,
      config,
      updatedAt: clock.now(),
      updatedBy: actorId,
      revision: newId(),
    };
    if (!(await store.plugins.put(plugin, before, member)))
      throw await staleWrite(store.members, member, "moderate");
    return shown(plugin);
  }

  async remove(actorId: string, serverId: string, pluginId: string): Promise<void> {
    const { store } = this.#ports;
    const { member } = await authorised(store.members, serverId, actorId, "moderate");
    const plugin = await store.plugins.find(serverId, pluginId);
    if (plugin === null) throw notFound();
    if (!(await store.plugins.remove(plugin, member)))
      throw await staleWrite(store.members, member, "moderate");
  }
}
