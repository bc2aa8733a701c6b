import { countryCell, readCsv, textCell, textLike } from "../../src/kit/csv-table.js";

/** Splits a cell at `|`; an empty cell is an empty list. */
export function listCell(cell: string): readonly string[] {
  return cell === "" ? [] : cell.split("|");
}

/** Reads the companies that the tuning mentions are matched with, as a customer would enter them. */
export function labelledCompanies() {
  return readCompanies("companies.csv");
}

/** Reads further companies. The held-out mentions are matched with these and the others together. */
export function furtherCompanies() {
  return readCompanies("companies-2.csv");
}

function readCompanies(file: string) {
  return readCsv(new URL(file, import.meta.url), {
    id: textLike(/^[a-z0-9-]+$/, "a slug"),
    name: textCell,
    aliases: listCell,
    domains: listCell,
    identifiers: listCell,
    country: countryCell,
  });
}
