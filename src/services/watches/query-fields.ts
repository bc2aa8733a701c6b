import { Type } from "typebox";
import { enumNames, int32UpTo, type QueryField, quoted, single, text, texts } from "../../contract/query-field.js";
import { sortablePattern } from "../../kit/sortable-id.js";
import { firingKinds } from "./records.js";
import { CURSOR_BYTES_MAX, CURSOR_PATTERN } from "./rules/cursors.js";
import { WATCH_PREFIX } from "./rules/ids.js";

const PAGE_ROWS_MAX = 100;
const PAGE_ROWS_DEFAULT = 50;
const WATCHES_MAX = 50;
const WATCHES_CHARACTERS_MAX = 2_000;

/** The number of rows per page. */
export const pageSize = int32UpTo("Rows per page", PAGE_ROWS_MAX, PAGE_ROWS_DEFAULT);

const WATCH_ID = sortablePattern(WATCH_PREFIX);
const watchIdShape = new RegExp(WATCH_ID);

/** The id of one watch. */
export const requiredWatchId: QueryField<string> = {
  schema: Type.String({ pattern: WATCH_ID }),
  description: "Id of the watch",
  required: true,
  decode: single("", (value) =>
    watchIdShape.test(value) ? { value } : { violation: `must match ${WATCH_ID}, got ${quoted(value)}` },
  ),
  canonical: (value) => value,
};

/**
 * `decode` accepts any string, although the schema has a pattern. The form of a cursor is checked later, together with
 * the cursor's signature, so that every invalid cursor is refused with the same sentence.
 */
export const cursor: QueryField<string> = {
  ...text("`nextCursor` of the previous poll; without it, the poll starts with the oldest firing"),
  schema: Type.String({ pattern: CURSOR_PATTERN, maxLength: CURSOR_BYTES_MAX }),
  decode: single("", (value) => ({ value })),
};

/** The filters of firings. An empty filter admits every value. */
export const firingFilters = {
  watchId: texts("Only firings of these watches", {
    pattern: WATCH_ID,
    itemsMax: WATCHES_MAX,
    charactersMax: WATCHES_CHARACTERS_MAX,
    isSet: true,
  }),
  kind: enumNames("Only firings of these kinds", firingKinds, "WATCH_FIRING_KIND_"),
};
