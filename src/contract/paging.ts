import { Type } from "typebox";
import { pageSize, type QueryField, text } from "./query-field.js";

export const Pagination = Type.Object(
  {
    nextCursor: Type.String({ description: "Send it as `cursor` for the next page; empty on the last page" }),
    totalCount: Type.Integer({ format: "int32", description: "Number of rows on all pages" }),
  },
  { title: "PaginationResponse", description: "Position of this page in the whole list." },
);

/** The rows of a whole list, from which a page is sliced: an array, or a list that computes rows on access. */
export interface Rows<T> {
  readonly length: number;
  slice(from: number, to: number): T[];
  /**
   * Returns a string that no other row of the list has. Absent if the rows have no such string. If this function is
   * also the declared `identity` of the list, changes are found without checking that the identities are unique.
   */
  uniqueText?(row: T): string;
}

/** A page of a list: its rows, and the cursor of the next page. */
export interface Page<T> {
  readonly rows: T[];
  readonly pagination: { readonly nextCursor: string; readonly totalCount: number };
}

// A type alias, because an interface is not assignable to a record of fields.
export type PageFields = {
  readonly pageSize: QueryField<number>;
  readonly cursor: QueryField<string>;
};

/** Maximum length of a cursor, in characters. Every real cursor is far shorter. */
const CURSOR_CHARACTERS_MAX = 1_024;

/** The parameters of a list in pages of at most `sizeMax` rows. */
export function pageFields(sizeMax: number): PageFields {
  return {
    pageSize: pageSize(sizeMax),
    cursor: text(
      "`nextCursor` of the previous page; all pages show the generation of the first page",
      CURSOR_CHARACTERS_MAX,
    ),
  };
}
