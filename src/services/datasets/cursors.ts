import type { LogCursors } from "../../contract/change-log.js";
import { failure } from "../../contract/failures.js";
import type { TokenSigner } from "../../kit/signed-token.js";

const PREFIX = "dsc1";

/** Longest cursor, in bytes. */
export const CURSOR_BYTES_MAX = 128;
/** The form of a cursor. */
export const CURSOR_PATTERN = "^dsc1\\.[A-Za-z0-9_-]{2,24}\\.[A-Za-z0-9_-]{43}$";

/**
 * The `snapshotGeneration` of this log, which tells readers when to list all dataset states again. It never changes,
 * because a change never makes an earlier list of dataset states invalid.
 */
export const SNAPSHOT_GENERATION = 0;

const SENTENCE = "must be a cursor of this log; omit it to begin with the next change";

/**
 * Makes and opens cursors. A cursor is `dsc1.<position>.<signature>`; `position` is a position in the log. In another
 * store, the same position belongs to another change. Each store therefore signs its cursors and refuses all others.
 */
export function datasetCursors(signer: TokenSigner): LogCursors {
  return {
    async open(cursor) {
      const payload = cursor.length <= CURSOR_BYTES_MAX ? signer.open(PREFIX, cursor) : undefined;
      if (payload === undefined) {
        throw failure("validation", { violations: [{ field: "cursor", description: SENTENCE }] });
      }
      // The payload was signed by this store, so it is a whole number.
      return { position: Number(payload), snapshotGeneration: SNAPSHOT_GENERATION };
    },
    sign: async ({ position }) => signer.sign(PREFIX, String(position)),
  };
}
