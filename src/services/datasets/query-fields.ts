import { Type } from "typebox";
import { int32UpTo, type QueryField, single, text, texts } from "../../contract/query-field.js";
import { snapshotStates } from "../../contract/snapshot.js";
import { CURSOR_BYTES_MAX, CURSOR_PATTERN } from "./cursors.js";
import { DATASET_NAME } from "./records.js";

const PAGE_ROWS_MAX = 100;
const PAGE_ROWS_DEFAULT = 50;
const DATASETS_MAX = 50;
const DATASETS_CHARACTERS_MAX = 2_000;

/** Number of rows per page. */
export const pageSize = int32UpTo("Rows per page", PAGE_ROWS_MAX, PAGE_ROWS_DEFAULT);

/**
 * The cursor of a poll. Any string is accepted here: its form is checked later, together with its signature, so that
 * all invalid cursors are refused in the same way.
 */
export const cursor: QueryField<string> = {
  ...text(
    "`pollCursor` of `list-dataset-states`, or `nextCursor` of the previous poll; without a cursor, the poll returns only a cursor for the next poll, and no changes",
  ),
  schema: Type.String({ pattern: CURSOR_PATTERN, maxLength: CURSOR_BYTES_MAX }),
  decode: single("", (value) => ({ value })),
};

/** The filters for changes. An empty filter admits every value. */
export const changeFilters = {
  dataset: texts("Only changes of these datasets", {
    pattern: DATASET_NAME,
    itemsMax: DATASETS_MAX,
    charactersMax: DATASETS_CHARACTERS_MAX,
    isSet: true,
  }),
  state: texts("Only changes to these states", {
    pattern: `^(?:${snapshotStates.join("|")})$`,
    itemsMax: snapshotStates.length,
    isSet: true,
  }),
};
