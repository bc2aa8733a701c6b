import { oneOf, readCsv, textCell, textLike } from "../../../kit/csv-table.js";
import { ownFile } from "../../../kit/own-file.js";
import { type EventClass, eventCategories, eventDirections, nothing } from "./event-class.js";

const classes = { category: oneOf(eventCategories), direction: oneOf(eventDirections) };
const items = readCsv(ownFile("data/filing-items.csv"), {
  item: textLike(/^\d\.\d\d$/, "an item such as 5.02"),
  ...classes,
});
const forms = new Map(
  readCsv(ownFile("data/filing-forms.csv"), { form: textCell, ...classes }).map((row) => [row.form, row]),
);

/** A filing's title in EDGAR: form, filer and CIK. An amended form ends in /A. */
const FILING = /^([A-Z0-9][A-Z0-9 -]{0,19}?)(\/A)? - .{1,300}\(\d{10}\)/;
const ITEM = /\bItem (\d\.\d\d)/g;
const ITEMS_MAX = 20;

/** Returns the items listed in a filing's title or summary. */
export function filingItemsIn(text: string): readonly string[] {
  return [...text.matchAll(ITEM)].slice(0, ITEMS_MAX).map(([, item = ""]) => item);
}

/** Tests whether a title has the form of an EDGAR filing's title. */
export function isFilingTitle(title: string): boolean {
  return FILING.test(title);
}

/**
 * Returns the class of the event that a filing reports. The filing's most significant item in `filing-items.csv`
 * determines the class. If none of the filing's items is listed there, the filing's form determines it. Returns
 * `nothing` if the form is not listed either.
 */
export function classOfFiling(title: string, filingItems: readonly string[]): EventClass {
  const item = items.find((row) => filingItems.includes(row.item));
  if (item) return { category: item.category, direction: item.direction, strength: 2, signs: [`item ${item.item}`] };
  const form = forms.get(FILING.exec(title)?.[1] ?? "");
  return form
    ? { category: form.category, direction: form.direction, strength: 1, signs: [`form ${form.form}`] }
    : nothing;
}
