import { Type } from "typebox";
import { enumNames, int32UpTo, type QueryField, single, text, texts } from "../../../contract/query-field.js";
import { impactDirections, impactLifecycles } from "../event-records.js";
import { idPattern } from "../rules/ids.js";
import { CURSOR_BYTES_MAX, CURSOR_PATTERN } from "./cursors.js";

const PAGE_ROWS_MAX = 100;
const PAGE_ROWS_DEFAULT = 50;

/** Number of rows per page. */
export const pageSize = int32UpTo("Rows per page", PAGE_ROWS_MAX, PAGE_ROWS_DEFAULT);

/**
 * A cursor as sent. Any text is accepted here. Its form is checked together with its signature, so that all refusals
 * are alike.
 */
export function cursorField(description: string): QueryField<string> {
  return {
    ...text(description),
    schema: Type.String({ pattern: CURSOR_PATTERN, maxLength: CURSOR_BYTES_MAX }),
    decode: single("", (value) => ({ value })),
  };
}

const COMPANIES_MAX = 100;
/** Enough for the maximum number of ids with their commas. */
const COMPANIES_CHARACTERS_MAX = 4_000;

/** The filters of impacts, in lists and streams. An empty filter admits every value. */
export const impactFilters = {
  companyId: texts("Only impacts on these companies", {
    pattern: idPattern("company"),
    itemsMax: COMPANIES_MAX,
    charactersMax: COMPANIES_CHARACTERS_MAX,
    isSet: true,
  }),
  direction: enumNames("Only impacts in these directions", impactDirections, "MATERIAL_IMPACT_DIRECTION_"),
  lifecycle: enumNames("Only impacts in these states", impactLifecycles, "MATERIAL_IMPACT_LIFECYCLE_"),
};
