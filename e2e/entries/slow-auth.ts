import { createEmbeddedServer } from "../../embedded.ts";
import { banner, readServerConfig } from "../../server-config.ts";
import { slowAuth } from "./slow-bus.ts";

const config = readServerConfig();
const { lifecycle, door, internal, version } = createEmbeddedServer(config, slowAuth);
lifecycle.handleSignals();
await lifecycle.start();
console.log(banner({ ...config, version, port: door.port, metricsPort: internal.port }));
