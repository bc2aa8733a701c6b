import { failure, type Violation } from "../contract/failures.js";
import { type Notice, noticeHeader } from "../contract/notice.js";
import type { AnyOperation } from "../contract/operation.js";
import type { QueryField } from "../contract/query-field.js";

/** A parsed query: the values for `run`, the projection, and the canonical text of equal queries. */
export interface ReadQuery {
  readonly values: Readonly<Record<string, unknown>>;
  readonly jmespath: string | undefined;
  /** Same for every spelling of the same query; without the projection. */
  readonly canonical: string;
  /** `X-Vigil-Notice`: the parts of the query that the answer ignores. */
  readonly notice: string | undefined;
}

/** `pageSize` is `page_size` in a query string. */
export function wireName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Parses a query string. Unknown parameters become notices. Throws the 400 that names every invalid parameter. */
export function readQuery(operation: AnyOperation, search: string, now: number): ReadQuery {
  const parameters = new URLSearchParams(search);
  const { values, violations, canonical, unknownCountries } = decodedFields(fieldsOf(operation), parameters, now);
  const notices: Notice[] = [...unknownParameters(operation, parameters), ...unknownCountries];
  const expressions = parameters.getAll("jmespath").filter((text) => text !== "");
  if (expressions.length > 1) {
    violations.push({ field: "jmespath", description: `must be given once, got ${expressions.length} values` });
  }
  if (violations.length > 0) throw failure("validation", { violations });
  notices.push(...invertedRanges(operation, values));
  return { values, jmespath: expressions[0], canonical: canonical.join("&"), notice: noticeHeader(notices) };
}

/** The raw fields of a query. */
interface DecodedFields {
  readonly values: Readonly<Record<string, unknown>>;
  readonly violations: Violation[];
  readonly canonical: readonly string[];
  readonly unknownCountries: readonly Notice[];
}

/** The values of these fields, and a violation for each text that its field refuses. */
export function decodedFields(
  fields: readonly (readonly [name: string, field: QueryField<unknown>])[],
  parameters: URLSearchParams,
  now: number,
): DecodedFields {
  const values: Record<string, unknown> = {};
  const violations: Violation[] = [];
  const canonical: string[] = [];
  const unknownCountries: Notice[] = [];
  for (const [name, field] of fields) {
    const texts = parameters.getAll(wireName(name)).filter((text) => text !== "");
    const decoded = texts.length === 0 && field.required ? { violation: "is required" } : field.decode(texts, now);
    if ("violation" in decoded) violations.push({ field: name, description: decoded.violation });
    else {
      values[name] = decoded.value;
      const { unknownCountry } = decoded;
      if (unknownCountry !== undefined) {
        unknownCountries.push({ kind: "unknown-country", parameter: wireName(name), value: unknownCountry });
      }
      const text = field.canonical(decoded.value);
      if (text !== undefined) canonical.push(`${name}=${encodeURIComponent(text)}`);
    }
  }
  return { values, violations, canonical, unknownCountries };
}

function unknownParameters(operation: AnyOperation, parameters: URLSearchParams): Notice[] {
  const declaredNames = parameterNames(operation);
  const unknown = new Set([...parameters.keys()].filter((name) => name !== "" && !declaredNames.has(name)));
  return [...unknown].map((name): Notice => ({ kind: "unknown-parameter", name }));
}

const namesByOperation = new WeakMap<AnyOperation, ReadonlySet<string>>();

function parameterNames(operation: AnyOperation): ReadonlySet<string> {
  let names = namesByOperation.get(operation);
  if (!names) {
    names = new Set(["jmespath", ...Object.keys(operation.query).map(wireName)]);
    namesByOperation.set(operation, names);
  }
  return names;
}

function invertedRanges({ ranges = [] }: AnyOperation, values: Readonly<Record<string, unknown>>): readonly Notice[] {
  return ranges.flatMap(([from, to]): Notice[] => {
    const [first, last] = [values[from], values[to]];
    const isInverted = typeof first === "number" && typeof last === "number" && first > last;
    return isInverted ? [{ kind: "inverted-range", from: wireName(from), to: wireName(to) }] : [];
  });
}

function fieldsOf(operation: AnyOperation): [string, QueryField<unknown>][] {
  // Registries hold operations without their query type; every member is a QueryField by its declaration.
  return Object.entries(operation.query as Readonly<Record<string, QueryField<unknown>>>);
}
