/** An address of the documents. */
export interface DocumentPath {
  readonly document: "reference" | "static-docs";
  /** Decoded, within the document, starting with `/`; `undefined` where nothing can lie. */
  readonly path: string | undefined;
}

const ROOTS = { reference: "/docs", "static-docs": "/static-docs" } as const;
const DOCUMENTS = ["reference", "static-docs"] as const;

const OUTSIDE = /[\\\0]|\/\/|\/\./;

/** `undefined` for what may name something outside of a folder, or hidden in it (L21). */
function decoded(path: string): string | undefined {
  try {
    const plain = decodeURIComponent(path);
    return OUTSIDE.test(plain) ? undefined : plain;
  } catch {
    return undefined;
  }
}

/** `undefined` when the target of a request is in no document. */
export function documentPathOf(target: string): DocumentPath | undefined {
  const [raw = ""] = target.split("?", 1);
  const document = DOCUMENTS.find((name) => raw === ROOTS[name] || raw.startsWith(`${ROOTS[name]}/`));
  if (document === undefined) return undefined;
  return { document, path: decoded(raw.slice(ROOTS[document].length) || "/") };
}
