import { openApiDocument } from "./document.ts";

/** `node gateway/src/openapi/print.ts` prints the document for programs that check it. */
process.stdout.write(JSON.stringify(openApiDocument("0.0.0"), undefined, 2));
