import { countryCell, readCsv, textCell, textLike } from "../../../src/kit/csv-table.js";

/** Splits a cell at `|`; an empty cell is an empty list. */
export function listCell(cell: string): readonly string[] {
  return cell === "" ? [] : cell.split("|");
}

/** Reads the companies of the first file, as a customer would enter them. */
export function firstCompanies() {
  return readCompanies("companies.csv");
}

/** Reads the companies of the second file. */
export function secondCompanies() {
  return readCompanies("companies-2.csv");
}

/**
 * Reads the companies of the third file. The titles of the first three mention files are matched with the companies of
 * the first three company files taken together.
 */
export function thirdCompanies() {
  return readCompanies("companies-3.csv");
}

/**
 * Reads the companies of the fourth file. The titles of the fourth and fifth mention files are matched with the
 * companies of all four company files taken together.
 */
export function fourthCompanies() {
  return readCompanies("companies-4.csv");
}

/** Reads the companies of another file, in the same form. */
export function companiesIn(file: URL) {
  return readCompanies(file);
}

function readCompanies(file: string | URL) {
  return readCsv(new URL(file, import.meta.url), {
    id: textLike(/^[a-z0-9-]+$/, "a slug"),
    name: textCell,
    aliases: listCell,
    domains: listCell,
    identifiers: listCell,
    country: countryCell,
  });
}
