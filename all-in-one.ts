import { StartError } from "@hearth/runtime";
import { createEmbeddedServer } from "./embedded.ts";
import { banner, readServerConfig } from "./server-config.ts";

/** `npm start`: the embedded mode, until a signal ends it. */
try {
  const config = readServerConfig();
  const { lifecycle, door, internal, version } = createEmbeddedServer(config);
  lifecycle.handleSignals();
  await lifecycle.start();
  console.log(banner({ ...config, version, port: door.port, metricsPort: internal.port }));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
