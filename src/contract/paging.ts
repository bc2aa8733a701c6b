import { Type } from "typebox";
import { pageSize, type QueryField, text } from "./query-field.js";

export const Pagination = Type.Object(
  {
    nextCursor: Type.String({ description: "Give it as `cursor` for the next page; empty at the end" }),
    totalCount: Type.Integer({ format: "int32", description: "Rows on all pages together" }),
  },
  { title: "PaginationResponse", description: "Position of this page in the whole list." },
);

/** The rows of a whole list, of which a page is cut; an array, or what finds its rows only when they are asked for. */
export interface Rows<T> {
  readonly length: number;
  slice(from: number, to: number): T[];
}

/** One page of a list: its rows, and what the caller needs for the next. */
export interface Page<T> {
  readonly rows: T[];
  readonly pagination: { readonly nextCursor: string; readonly totalCount: number };
}

// An alias, because an interface would not pass for the record of fields that a query is.
export type PageFields = {
  readonly pageSize: QueryField<number>;
  readonly cursor: QueryField<string>;
};

/** Far longer than any cursor. */
const CURSOR_CHARACTERS_MAX = 1_024;

/** The parameters of a list that is handed out in pages of at most `sizeMax` rows. */
export function pageFields(sizeMax: number): PageFields {
  return {
    pageSize: pageSize(sizeMax),
    cursor: text("`nextCursor` of the page before; pages keep the generation of the first", CURSOR_CHARACTERS_MAX),
  };
}
