import type { AnyAccountRead } from "../contract/account-read.js";
import { asOfField, lacksPast } from "../contract/as-of.js";
import { failure, type Violation } from "../contract/failures.js";
import { type Notice, noticeHeader } from "../contract/notice.js";
import type { AnyOperation } from "../contract/operation.js";
import type { Decoded, QueryField } from "../contract/query-field.js";
import type { Stream } from "../contract/stream.js";

/** A parsed query: the values for `run`, the projection, and the canonical text of equal queries. */
export interface ReadQuery {
  readonly values: Readonly<Record<string, unknown>>;
  readonly jmespath: string | undefined;
  /** The same for every spelling of a query; without the projection. */
  readonly canonical: string;
  /** `X-Vigil-Notice`: the parts of the query that the answer ignores. */
  readonly notice: string | undefined;
  /** The instant of an answer of the past, epoch ms. */
  readonly asOf: number | undefined;
}

/** Names of declared fields in query strings: a bounded set that every call uses. */
const wireNames = new Map<string, string>();

/** `pageSize` is `page_size` in a query string. */
export function wireName(field: string): string {
  let name = wireNames.get(field);
  if (name === undefined) {
    name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    wireNames.set(field, name);
  }
  return name;
}

/** Parses a query string. Unknown parameters become notices. Throws the 400 that names every invalid parameter. */
export function readQuery(operation: AnyOperation, search: string, now: number): ReadQuery {
  const parameters = new URLSearchParams(search);
  const instant = asOfIn(parameters, lacksPast(operation), now);
  const asOf = "value" in instant ? instant.value : undefined;
  const decoded = decodedFields(fieldsOf(operation), parameters, asOf ?? now);
  const { values, canonical, unknownCountries } = decoded;
  const violations = [...decoded.violations, ...("violation" in instant ? [ofAsOf(instant)] : [])];
  const notices: Notice[] = [...unknownParameters(operation, parameters), ...unknownCountries];
  const jmespath = expressionIn(parameters, violations);
  if (violations.length > 0) throw failure("validation", { violations });
  notices.push(...invertedRanges(operation, values));
  return { values, jmespath, canonical: canonical.join("&"), notice: noticeHeader(notices), asOf };
}

const AS_OF = "as_of";

/** The instant of a query. `lacking` is the reason why its answers have no past. */
function asOfIn(parameters: URLSearchParams, lacking: string | undefined, now: number): Decoded<number | undefined> {
  const texts = parameters.getAll(AS_OF).filter((text) => text !== "");
  return texts.length > 0 && lacking !== undefined ? { violation: lacking } : asOfField.decode(texts, now);
}

function ofAsOf({ violation }: { readonly violation: string }): Violation {
  return { field: "asOf", description: violation };
}

/** Adds the violation of a query with an instant whose answers have no past. */
function refuseAsOf(parameters: URLSearchParams, lacking: string, violations: Violation[]): void {
  const instant = asOfIn(parameters, lacking, 0);
  if ("violation" in instant) violations.push(ofAsOf(instant));
}

/** The projection of a query, or undefined. Adds the violation of a query that has several. */
function expressionIn(parameters: URLSearchParams, violations: Violation[]): string | undefined {
  const expressions = parameters.getAll("jmespath").filter((text) => text !== "");
  if (expressions.length > 1) {
    violations.push({ field: "jmespath", description: `must be given once, got ${expressions.length} values` });
  }
  return expressions[0];
}

/** Parses the query string of an account read, as `readQuery` does. Throws the 400 that names every invalid parameter. */
export function readAccountQuery(
  read: AnyAccountRead,
  search: string,
  now: number,
): Omit<ReadQuery, "canonical" | "asOf"> {
  const parameters = new URLSearchParams(search);
  const { values, violations, unknownCountries } = decodedFields(fieldsOf(read), parameters, now);
  refuseAsOf(parameters, "is not available here: what belongs to an account is read as it is now", violations);
  const jmespath = expressionIn(parameters, violations);
  if (violations.length > 0) throw failure("validation", { violations });
  const notice = noticeHeader([...unknownParameters(read, parameters), ...unknownCountries]);
  return { values, jmespath, notice };
}

/** Parses the query string of a stream, which has no projection. Throws the 400 that names every invalid parameter. */
export function readStreamQuery(stream: Stream, search: string, now: number): Pick<ReadQuery, "values" | "notice"> {
  const parameters = new URLSearchParams(search);
  const { values, violations } = decodedFields(fieldsOf(stream), parameters, now);
  refuseAsOf(parameters, "is not available for streams", violations);
  if (expressionIn(parameters, violations) !== undefined) {
    violations.push({ field: "jmespath", description: "is not available for streams" });
  }
  if (violations.length > 0) throw failure("validation", { violations });
  return { values, notice: noticeHeader(unknownParameters(stream, parameters)) };
}

/** The raw fields of a query. */
interface DecodedFields {
  readonly values: Readonly<Record<string, unknown>>;
  readonly violations: Violation[];
  readonly canonical: readonly string[];
  readonly unknownCountries: readonly Notice[];
}

/** Decodes these fields; adds a violation for each invalid value. */
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

/** A declaration with query parameters. Registries hold it without the types of its query. */
type Queried = Pick<AnyOperation, "query"> | Pick<AnyAccountRead, "query"> | Pick<Stream, "query">;

function unknownParameters(operation: Queried, parameters: URLSearchParams): Notice[] {
  const declaredNames = parameterNames(operation);
  const unknown = new Set([...parameters.keys()].filter((name) => name !== "" && !declaredNames.has(name)));
  return [...unknown].map((name): Notice => ({ kind: "unknown-parameter", name }));
}

const namesByOperation = new WeakMap<Queried, ReadonlySet<string>>();

function parameterNames(operation: Queried): ReadonlySet<string> {
  let names = namesByOperation.get(operation);
  if (!names) {
    names = new Set(["jmespath", AS_OF, ...Object.keys(operation.query).map(wireName)]);
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

function fieldsOf(operation: Queried): [string, QueryField<unknown>][] {
  // Every member is a QueryField by its declaration.
  return Object.entries(operation.query as Readonly<Record<string, QueryField<unknown>>>);
}
