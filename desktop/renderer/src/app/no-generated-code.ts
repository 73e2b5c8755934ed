import { config } from "zod";

/** The page's policy refuses generated code. Schemas read this when they are made, so it is to be imported first. */
config({ jitless: true });
