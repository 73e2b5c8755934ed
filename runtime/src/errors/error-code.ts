/** The `code` of an error that Node or a library threw, such as `EADDRINUSE`; works across realms. */
export const errorCode = (error: unknown): string | undefined =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;

/** The error's `code`, else its name: something short that is safe to log. */
export const codeOf = (error: unknown): string =>
  errorCode(error) ?? (error instanceof Error ? error.name : "unknown");
