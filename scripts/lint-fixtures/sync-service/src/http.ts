import type { Server } from "node:http";
import type { Id } from "@hearth/contracts";
import { runtimeLimit } from "@hearth/runtime";
import { port } from "./config.ts";

export const describe = (server: Server, id: Id): string =>
  `${id} ${runtimeLimit} ${port ?? ""} ${String(server.listening)}`;
