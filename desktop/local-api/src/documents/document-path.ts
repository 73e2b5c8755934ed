/** A path within a document. */
export interface DocumentPath {
  readonly document: "reference" | "static-docs";
  /** Decoded and relative to the document, starting with `/`; `undefined` if no file can match. */
  readonly path: string | undefined;
}

const ROOTS = { reference: "/docs", "static-docs": "/static-docs" } as const;
const DOCUMENTS = ["reference", "static-docs"] as const;

const OUTSIDE = /[\\\0]|\/\/|\/\./;

/** `undefined` for a path that leaves the folder or is hidden in it (L21). */
function decoded(path: string): string | undefined {
  try {
    const plain = decodeURIComponent(path);
    return OUTSIDE.test(plain) ? undefined : plain;
  } catch {
    return undefined;
  }
}

/** `undefined` if the request is for no document. */
export function documentPathOf(target: string): DocumentPath | undefined {
  const [raw = ""] = target.split("?", 1);
  const document = DOCUMENTS.find((name) => raw === ROOTS[name] || raw.startsWith(`${ROOTS[name]}/`));
  if (document === undefined) return undefined;
  return { document, path: decoded(raw.slice(ROOTS[document].length) || "/") };
}
