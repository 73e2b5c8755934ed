import path from "node:path";

/** Paths within a device's data folder. */
export const dataFolder = (folder: string) => ({
  folder,
  database: path.join(folder, "device.sqlite"),
  /** The settings of interface 2.6. */
  settings: path.join(folder, "local-api.json"),
  /** Bytes of attachments, by SHA-256. */
  files: path.join(folder, "files"),
});

export type DataFolder = ReturnType<typeof dataFolder>;
