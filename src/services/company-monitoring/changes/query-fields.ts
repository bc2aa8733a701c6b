import { Type } from "typebox";
import { int32UpTo, type QueryField, single, text } from "../../../contract/query-field.js";
import { CURSOR_BYTES_MAX, CURSOR_PATTERN } from "./cursors.js";

const PAGE_ROWS_MAX = 100;
const PAGE_ROWS_DEFAULT = 50;

/** Rows of a page. */
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
