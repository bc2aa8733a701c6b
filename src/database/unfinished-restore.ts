import { existsSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "../kit/operator-error.js";
import { SQLITE_FILE } from "./open.js";

/** A folder inside the data folder. A restore or copy first writes into it, then moves the files to their places. */
export const RESTORING_FOLDER = "restoring";

/**
 * True if a restore or copy into this data folder was interrupted. Both move the database into the data folder last, so
 * an interrupted restore or copy leaves no database there.
 */
export function isHalfRestored(dataDir: string): boolean {
  return existsSync(join(dataDir, RESTORING_FOLDER)) && !existsSync(join(dataDir, SQLITE_FILE));
}

/**
 * Throws an `OperatorError` for a data folder with an unfinished restore or copy. Such a folder must not become a new
 * store.
 */
export function refuseHalfRestored(dataDir: string): void {
  if (!isHalfRestored(dataDir)) return;
  throw new OperatorError(
    `the restore or the copy into the folder ${dataDir} is unfinished; run \`vigil restore\` or \`vigil copy\` again, or remove that folder`,
  );
}
