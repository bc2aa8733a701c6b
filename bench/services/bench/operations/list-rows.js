// An operation over generated rows, for the measurements of a swap under load and of reads of the past.
import { rowList } from "../../../row-lists.mjs";

export const listRows = rowList("rows", { sharesRows: false });
