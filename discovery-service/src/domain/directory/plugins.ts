import { ProblemError } from "@hearth/contracts";
import type { PluginSupport } from "@hearth/contracts";
import { authorised, staleWrite, visibleServer } from "../access.ts";
import type { Ports } from "../ports.ts";
import type { PluginRecord } from "../records.ts";

/** The list is answered whole to anybody who asks, so it stays small. */
const MAX_PLUGINS = 100;
const MAX_CONFIG_BYTES = 16 * 1024;

export interface PluginInput {
  readonly version: string;
  readonly required: PluginSupport["required"];
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

const viewOf = ({ serverId: _server, revision: _revision, ...plugin }: PluginRecord) => ({
  ...plugin,
  config: plugin.config === null ? null : { ...plugin.config },
});

export type PluginView = ReturnType<typeof viewOf>;

/** DI5: the plugins that a server asks its members' clients to have. */
export interface Plugins {
  list(userId: string | null, serverId: string): Promise<PluginView[]>;
  put(actorId: string, serverId: string, pluginId: string, input: PluginInput): Promise<PluginView>;
  remove(actorId: string, serverId: string, pluginId: string): Promise<void>;
}

const notFound = (): ProblemError =>
  new ProblemError("NOT_FOUND", "This server does not ask for this plugin");

function requireSmall(config: PluginRecord["config"]): void {
  if (Buffer.byteLength(JSON.stringify(config)) <= MAX_CONFIG_BYTES) return;
  throw new ProblemError("INVALID_REQUEST", "The plugin's configuration is too large", {
    errors: [{ path: "config", message: `must not exceed ${MAX_CONFIG_BYTES} bytes as JSON` }],
  });
}

export function createPlugins({ store, clock, newId }: Ports): Plugins {
  const { members, plugins } = store;
  return {
    list: async (userId, serverId) => {
      await visibleServer(store, serverId, userId);
      return (await plugins.list(serverId)).map(viewOf);
    },

    put: async (actorId, serverId, pluginId, input) => {
      const { member } = await authorised(members, serverId, actorId, "moderate");
      const config = input.config ?? null;
      requireSmall(config);
      const before = await plugins.find(serverId, pluginId);
      if (before === null && (await plugins.list(serverId)).length >= MAX_PLUGINS) {
        throw new ProblemError("CONFLICT", `A server asks for at most ${MAX_PLUGINS} plugins`);
      }
      const plugin: PluginRecord = {
        serverId,
        pluginId,
        version: input.version,
        required: input.required,
        config,
        updatedAt: clock.now(),
        updatedBy: actorId,
        revision: newId(),
      };
      if (!(await plugins.put(plugin, before, member))) throw await staleWrite(members, member, "moderate");
      return viewOf(plugin);
    },

    remove: async (actorId, serverId, pluginId) => {
      const { member } = await authorised(members, serverId, actorId, "moderate");
      const plugin = await plugins.find(serverId, pluginId);
      if (plugin === null) throw notFound();
      if (!(await plugins.remove(plugin, member))) throw await staleWrite(members, member, "moderate");
    },
  };
}
