import path from "node:path";

/** What lies where in a device's data folder, with a window as without one. */
export const dataFolder = (folder: string) => ({
  folder,
  database: path.join(folder, "device.sqlite"),
  /** The settings of interface 2.6. */
  settings: path.join(folder, "local-api.json"),
  /** Bytes of attachments, each under its SHA-256. */
  files: path.join(folder, "files"),
});

export type DataFolder = ReturnType<typeof dataFolder>;
