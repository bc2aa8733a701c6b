import type { Notice } from "../contract/notice.js";
import type { QueryField } from "../contract/query-field.js";
import { cutText } from "../kit/cut-text.js";

/** A parameter with its value as text. */
interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** A parameter without an effect, with the beginning of its value as the caller sent it. */
interface IgnoredParameter extends NamedValue {
  readonly reason: string;
}

/** The parameters of a query, grouped by their effect. */
export interface ExplainedQuery {
  /** Filters and limits that were sent, by field name. */
  readonly filters: ReadonlyMap<string, NamedValue>;
  readonly ignored: readonly IgnoredParameter[];
  /** Default values of the fields that were not sent, by field name. */
  readonly defaults: ReadonlyMap<string, NamedValue>;
}

export interface WiredField {
  readonly name: string;
  readonly wireName: string;
  readonly field: QueryField<unknown>;
}

interface ParsedQuery {
  readonly values: Readonly<Record<string, unknown>>;
  readonly notices: readonly Notice[];
}

const VALUE_CHARACTERS_MAX = 40;
const CANONICAL_CHARACTERS_MAX = 500;
const UNKNOWN_MAX = 20;
/** The parameters that choose a page of the list. */
const ofPages: ReadonlySet<string> = new Set(["cursor", "pageSize"]);

/** Groups the parameters of a valid query into filters, parameters without an effect, and defaults. */
export function explainedQuery(
  fields: readonly WiredField[],
  parameters: URLSearchParams,
  { values, notices }: ParsedQuery,
): ExplainedQuery {
  const filters = new Map<string, NamedValue>();
  const defaults = new Map<string, NamedValue>();
  const ignored: IgnoredParameter[] = [];
  for (const { name, wireName, field } of fields) {
    const sent = parameters.getAll(wireName).filter((text) => text !== "");
    if (field.isIgnored) {
      if (sent.length > 0) ignored.push({ name: wireName, value: beginningOf(sent), reason: "accepted and ignored" });
      continue;
    }
    const isDefault = sent.length === 0;
    const value = valueText(field, values[name]);
    if (value === "" || (isDefault && values[name] === 0)) continue;
    if (isDefault) defaults.set(name, { name: wireName, value });
    else if (!ofPages.has(name)) filters.set(name, { name: wireName, value });
  }
  return { filters, defaults, ignored: [...ignored, ...unknownParameters(parameters, notices)] };
}

/** A string that is equal for queries with the same explanation. */
export function spellingOf({ filters, ignored, defaults }: ExplainedQuery): string {
  return JSON.stringify([[...filters], ignored, [...defaults]]);
}

/** The canonical text of a value or, if it has none, the value as a string; empty for no value. */
function valueText(field: QueryField<unknown>, value: unknown): string {
  const canonical = field.canonical(value);
  if (canonical !== undefined) return cutText(canonical, CANONICAL_CHARACTERS_MAX);
  return value === undefined ? "" : cutText(String(value), CANONICAL_CHARACTERS_MAX);
}

function unknownParameters(parameters: URLSearchParams, notices: readonly Notice[]): readonly IgnoredParameter[] {
  const names = notices.flatMap((notice) => (notice.kind === "unknown-parameter" ? [notice.name] : []));
  const named = names.slice(0, UNKNOWN_MAX).map((name): IgnoredParameter => {
    return { name: beginningOf([name]), value: beginningOf(parameters.getAll(name)), reason: "unknown parameter" };
  });
  const more = names.length - named.length;
  return more === 0 ? named : [...named, { name: "…", value: String(more), reason: "further unknown parameters" }];
}

/** The beginning of the strings that a caller sent. Control and other invisible characters are replaced by "?". */
function beginningOf(texts: readonly string[]): string {
  const beginning = texts.slice(0, VALUE_CHARACTERS_MAX).map((text) => cutText(text, VALUE_CHARACTERS_MAX));
  return cutText(beginning.join(",").replace(/\p{C}/gu, "?"), VALUE_CHARACTERS_MAX);
}
