import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Assigns the sample in this folder to another account, or to none. */
export const giveTo = (
  dataDir: string,
  owner?: { readonly serverUrl: string; readonly userId: string },
): void => {
  const database = new DatabaseSync(join(dataDir, "device.sqlite"));
  try {
    database.exec("DELETE FROM credentials");
    if (!owner) return;
    database
      .prepare("INSERT INTO credentials VALUES (?, ?, 'owner', 'Owner', ?, 0, 1)")
      .run(owner.serverUrl, owner.userId, Date.now() + 86_400_000);
  } finally {
    database.close();
  }
};
