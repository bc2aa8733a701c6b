import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "./stack.js";

const OTHER_BYTES = "other bytes than those stored";

/** Overwrites a stored body. A process that has already read it keeps the content in memory until it restarts. */
export async function damageBody({ service, dataDir }: Stack, contentHash: string): Promise<void> {
  const { db, dialect } = service.database;
  if (dialect === "sqlite") await writeFile(join(dataDir, "bodies", contentHash), OTHER_BYTES);
  else {
    const damaged = { bytes: Buffer.from(OTHER_BYTES) };
    await db.updateTable("body").set(damaged).where("content_hash", "=", contentHash).executeTakeFirstOrThrow();
  }
}
