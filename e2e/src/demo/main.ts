import { startServer } from "../server/process.ts";
import { tellStory } from "./story.ts";
import { Transcript } from "./transcript.ts";

const transcript = new Transcript();
const server = await startServer();
try {
  await tellStory(server.url, transcript);
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
