import { openApiDocument } from "./document.ts";

/** `node gateway/src/openapi/print.ts`: the document of the server, for programs that check it. */
process.stdout.write(JSON.stringify(openApiDocument("0.0.0"), undefined, 2));
