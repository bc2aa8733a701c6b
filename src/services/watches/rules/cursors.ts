import type { LogCursors } from "../../../contract/change-log.js";
import { failure } from "../../../contract/failures.js";
import type { TokenSigner } from "../../../kit/signed-token.js";

const PREFIX = "wfc1";

/** Maximum size of a cursor, in bytes. */
export const CURSOR_BYTES_MAX = 128;
/** The form of a cursor. */
export const CURSOR_PATTERN = "^wfc1\\.[A-Za-z0-9_-]{2,24}\\.[A-Za-z0-9_-]{43}$";

/**
 * The snapshot generation of the log of firings. A snapshot generation changes when readers must list the subjects of a
 * log again. Readers of firings never have to list the watches again, so this one never changes.
 */
export const SNAPSHOT_GENERATION = 0;

const SENTENCE = "must be a cursor of this log; omit it to start with the oldest firing";

/**
 * Verifies and signs the cursors of an account's log. A cursor is `wfc1.<position>.<signature>`, and its signature
 * covers the account.
 */
export function firingCursors(signer: TokenSigner, accountId: string): LogCursors {
  return {
    async open(cursor) {
      const payload = cursor.length <= CURSOR_BYTES_MAX ? signer.open(PREFIX, cursor, accountId) : undefined;
      if (payload === undefined) {
        throw failure("validation", { violations: [{ field: "cursor", description: SENTENCE }] });
      }
      // The payload is a whole number, because `sign` signs nothing else.
      return { position: Number(payload), snapshotGeneration: SNAPSHOT_GENERATION };
    },
    sign: async ({ position }) => signer.sign(PREFIX, String(position), accountId),
  };
}
