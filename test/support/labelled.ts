import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The rows of a labelled set: those for tuning, and those held out for measuring (test/labelled/README.md). */
export interface Labelled<Row> {
  readonly tuning: readonly Row[];
  readonly heldOut: readonly Row[];
}

export interface ClassificationRow {
  readonly id: string;
  readonly title: string;
  readonly language?: string;
  readonly level: string;
  readonly category: string;
}

export interface CountriesRow {
  readonly id: string;
  readonly title: string;
  readonly language?: string;
  readonly countries: readonly string[];
}

export function labelledClassification(): Labelled<ClassificationRow> {
  return sidesOf(read<ClassificationRow>("classification"));
}

/** The names of additional sets. All their rows are for tuning; none are held out. */
export const tuningSets = ["", "-2", "-3", "-4"].map((number) => `classification-tuning${number}`);

export function tuningClassification(name: string): readonly ClassificationRow[] {
  return read<ClassificationRow>(name);
}

export function labelledCountries(): Labelled<CountriesRow> {
  return sidesOf(read<CountriesRow>("countries"));
}

function read<Row>(name: string): Row[] {
  return JSON.parse(readFileSync(new URL(`../labelled/${name}.json`, import.meta.url), "utf8"));
}

function sidesOf<Row extends { readonly id: string }>(rows: readonly Row[]): Labelled<Row> {
  const isHeldOut = (row: Row): boolean => (createHash("sha256").update(row.id).digest()[0] ?? 0) < 77;
  return { tuning: rows.filter((row) => !isHeldOut(row)), heldOut: rows.filter(isHeldOut) };
}
