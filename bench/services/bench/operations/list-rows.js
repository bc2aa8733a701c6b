// An operation over a dataset larger than any real one, for the measurement of a swap under load.
import { rowList } from "../../../row-lists.mjs";

export const listRows = rowList("rows", { sharesRows: false });
