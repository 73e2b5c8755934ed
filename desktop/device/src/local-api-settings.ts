import { z } from "zod";

/** Interface 2.6. */
export interface LocalApiSettings {
  /** Starts or stops the local HTTP server. */
  readonly enabled: boolean;
  readonly port: number;
  /** False binds to 127.0.0.1, true to 0.0.0.0. */
  readonly exposeOnLan: boolean;
  /** Enables `/docs`. */
  readonly referenceDocsEnabled: boolean;
  /** Enables `/static-docs`. */
  readonly staticDocsEnabled: boolean;
  /** URLs of the instances that may validate a login, normalised (rule LA5). */
  readonly allowedSignalingServers: readonly string[];
}

/** One invalid setting: its name (for an entry of a list `allowedSignalingServers.2`), and the problem. */
export interface SettingIssue {
  readonly path: string;
  readonly message: string;
}

export const DEFAULT_LOCAL_API_SETTINGS: LocalApiSettings = {
  enabled: false,
  port: 17878,
  exposeOnLan: false,
  referenceDocsEnabled: false,
  staticDocsEnabled: false,
  allowedSignalingServers: [],
};

/** The range of the port. URLs of the list are checked where they are normalised. */
const PORT = "A port is a whole number from 1 to 65535.";
export const portSchema = z.int(PORT).min(1, PORT).max(65_535, PORT);
