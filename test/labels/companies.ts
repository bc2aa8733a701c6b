import { countryCell, readCsv, textCell, textLike } from "../../src/kit/csv-table.js";

/** Splits a cell at `|`; an empty cell is an empty list. */
export function listCell(cell: string): readonly string[] {
  return cell === "" ? [] : cell.split("|");
}

/** Reads the companies to match, as a customer would enter them. */
export function labelledCompanies() {
  return readCsv(new URL("companies.csv", import.meta.url), {
    id: textLike(/^[a-z0-9-]+$/, "a slug"),
    name: textCell,
    aliases: listCell,
    domains: listCell,
    identifiers: listCell,
    country: countryCell,
  });
}
