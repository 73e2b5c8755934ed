/** Marks the current format: bcrypt over base64(SHA-256(password)). */
const TAG = "bcrypt-sha256:";

/** A dearer hash is not accepted: one login would occupy a core for minutes. */
const MAX_COST = 16;

const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const SHA256_HEX = /^[0-9a-f]{64}$/i;

/** AU3: a stored hash, parsed. `bcrypt` (plain) and `sha256` (unsalted) come from older deployments. */
export type PasswordHash =
  | { readonly format: "current"; readonly hash: string; readonly cost: number }
  | { readonly format: "bcrypt"; readonly hash: string; readonly cost: number }
  | { readonly format: "sha256"; readonly digest: Buffer };

function bcryptHash(text: string): { hash: string; cost: number } | null {
  const cost = Number(BCRYPT.exec(text)?.[1]);
  if (!(cost >= 4 && cost <= MAX_COST)) return null;
  // `$2y$` is `$2b$` by another name, and the library knows only the latter.
  return { hash: text.replace(/^\$2y\$/, "$2b$"), cost };
}

export const tagged = (hash: string): string => TAG + hash;

/** Null for text that no password can match. */
export function parsePasswordHash(stored: string): PasswordHash | null {
  if (SHA256_HEX.test(stored)) return { format: "sha256", digest: Buffer.from(stored, "hex") };
  const isCurrent = stored.startsWith(TAG);
  const bcrypt = bcryptHash(isCurrent ? stored.slice(TAG.length) : stored);
  return bcrypt && { format: isCurrent ? "current" : "bcrypt", ...bcrypt };
}
