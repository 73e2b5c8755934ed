import { safeStorage } from "electron";
import type { SecretPort } from "../ports.ts";

/** With `basic_text` Electron encrypts with a well-known password, which protects nothing. */
const hasKeyring = (): boolean =>
  !["basic_text", "unknown"].includes(safeStorage.getSelectedStorageBackend());

export const createSecretPort = (platform: NodeJS.Platform): SecretPort => ({
  isProtected: async () =>
    (platform !== "linux" || hasKeyring()) && (await safeStorage.isAsyncEncryptionAvailable()),
  encrypt: (text) => safeStorage.encryptStringAsync(text),
  async decrypt(encrypted) {
    const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(encrypted);
    return { text: result, isOutdated: shouldReEncrypt };
  },
});
