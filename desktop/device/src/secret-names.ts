const SECRET = /token|secret|passw|passphrase|credential|provision|privatekey|apikey/;

/** True for a name that may hold a secret, in any case, width and punctuation. */
export const looksSecret = (name: string): boolean =>
  SECRET.test(
    name
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, ""),
  );
