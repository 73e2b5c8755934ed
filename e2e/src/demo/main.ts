import { constants } from "node:os";
import { startServer } from "../server/process.ts";
import { playStory } from "./story.ts";
import { Transcript } from "./transcript.ts";

const transcript = new Transcript();
const server = await startServer();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void server
      .stop()
      .then(() => server.cleanUp())
      .then(() => process.exit(128 + constants.signals[signal]));
  });
}
try {
  await playStory(server.url, transcript);
  const code = await server.stop("SIGINT");
  transcript.title(
    "The end",
    `Everything above went over real sockets to a real server, which stopped with code ${code}.`,
  );
  process.exitCode = code === 0 ? 0 : 1;
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
  await server.stop("SIGKILL");
} finally {
  await server.cleanUp();
}
