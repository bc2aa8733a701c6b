import type { RowLocation } from "../../contract/row-list.js";
import { type Column, columnSurvey } from "../../http/rows/csv-columns.js";
import { OperatorError } from "../../kit/operator-error.js";
import type { ExportedRows } from "./exported-rows.js";

/**
 * The type of a column. `number`: also a mixture of integers and other numbers; `json`: arrays, empty objects, and all
 * other mixtures of types; `text`: also a column without values.
 */
export type ColumnKind = "boolean" | "integer" | "number" | "text" | "instant" | "json";

export interface KindedColumn extends Column {
  readonly kind: ColumnKind;
}

/** The columns of an export, and the members that locate its rows. */
export interface SurveyedRows {
  readonly columns: readonly KindedColumn[];
  /** The members with the coordinates of a row; undefined if no row has coordinates. */
  readonly location: RowLocation | undefined;
}

/** Surveys all rows, and thereby verifies their content before the export begins. */
export async function surveyOf(rows: ExportedRows): Promise<SurveyedRows> {
  const survey = new RowSurvey();
  for await (const batch of rows.batches()) for (const { row } of batch) survey.add(row);
  return survey.surveyed();
}

/** Maximum total length of all column names, so that rows with arbitrary member names cannot exhaust memory. */
const NAME_CHARACTERS_MAX = 4_000_000;

/** Finds the columns of rows, and the kinds of their values. */
export class RowSurvey {
  private characters = 0;
  private readonly survey = columnSurvey((more) => this.grow(more));
  private readonly kinds = new Map<string, ValueKinds>();

  add(row: unknown): void {
    this.survey.add(row);
    this.visit(row, "");
  }

  surveyed(): SurveyedRows {
    const columns = this.survey.columns().map((column) => ({ ...column, kind: this.kindOf(column) }));
    return { columns, location: locationIn(columns.map(({ name }) => name)) };
  }

  private visit(value: unknown, path: string): void {
    if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
      for (const [name, member] of Object.entries(value)) this.visit(member, `${path}\0${name}`);
      return;
    }
    let kinds = this.kinds.get(path);
    if (kinds === undefined) {
      kinds = { seen: new Set(), largest: 0 };
      this.kinds.set(path, kinds);
    }
    if (value === null || value === undefined) return;
    kinds.seen.add(simpleKind(value));
    if (typeof value === "number") kinds.largest = Math.max(kinds.largest, Math.abs(value));
  }

  private kindOf({ path }: Column): ColumnKind {
    const { seen, largest } = this.kinds.get(path.map((name) => `\0${name}`).join("")) ?? {
      seen: new Set(),
      largest: 0,
    };
    const [only] = seen;
    if (seen.size === 0) return "text";
    if (seen.size === 1 && only === "integer" && isInstant(path.at(-1) ?? "", largest)) return "instant";
    if (seen.size === 1) return only as ColumnKind;
    return [...seen].every((kind) => kind === "integer" || kind === "number") ? "number" : "json";
  }

  private grow(characters: number): void {
    this.characters += characters;
    if (this.characters <= NAME_CHARACTERS_MAX) return;
    throw new OperatorError("the rows have too many different members for the columns of a table; choose ndjson");
  }
}

interface ValueKinds {
  readonly seen: Set<ColumnKind>;
  /** The largest absolute value of the numbers. */
  largest: number;
}

function simpleKind(value: NonNullable<unknown>): ColumnKind {
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "string") return "text";
  if (typeof value !== "number") return "json";
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? "integer" : "number";
}

/**
 * Name patterns of instants and days: `occurredAt`, `at`, `dateStart`, `startDate`, `lastDay`, `month`,
 * `unchangedSince`.
 */
const INSTANT_NAME = /^(?:at|date|day|month|date[A-Z]\w*|\w+(?:At|Date|Day|Month|Since))$/;
/**
 * A column whose name fits the pattern holds instants if one of its numbers is at least this large. In epoch ms, every
 * instant since May 1970 is larger. A number of days or months is always smaller.
 */
const INSTANT_MIN = 1e10;

function isInstant(name: string, largest: number): boolean {
  return INSTANT_NAME.test(name) && largest >= INSTANT_MIN;
}

const PAIRS = [
  ["latitude", "longitude"],
  ["lat", "lon"],
  ["lat", "lng"],
] as const;

function locationIn(columns: readonly string[]): RowLocation | undefined {
  const hasAll = (names: readonly string[]): boolean => names.every((name) => columns.includes(name));
  if (hasAll(["location.latitude", "location.longitude"])) return "location";
  return PAIRS.find(hasAll);
}
