import type { AnyAccountRead } from "../contract/account-read.js";
import { failure, type Violation } from "../contract/failures.js";
import { type FrameValues, frameFields, frameParameters } from "../contract/frame-parameters.js";
import type { AnyLinkedFeed } from "../contract/linked-feed.js";
import { type Notice, noticeHeader } from "../contract/notice.js";
import type { AnyOperation } from "../contract/operation.js";
import type { QueryField } from "../contract/query-field.js";
import type { Stream } from "../contract/stream.js";
import { hasNullCharacter, NO_NULL_CHARACTER } from "../kit/null-character.js";
import { type ExplainedQuery, explainedQuery } from "./explained-query.js";

/** A parsed query: the values for `run`, the projection, and the canonical text, which equal queries share. */
export interface ReadQuery {
  readonly values: Readonly<Record<string, unknown>>;
  readonly jmespath: string | undefined;
  /**
   * Text that is the same for every spelling of a query. It omits `jmespath`, `as_of`, `format` and `signature`;
   * `questionOf` adds `since_generation`.
   */
  readonly canonical: string;
  /** Value of `X-Vigil-Notice`: the parts of the query that have no effect. */
  readonly notice: string | undefined;
  /** The values of the parameters that operations have in common, such as `format`. */
  readonly frame: FrameValues;
  /** The parameters grouped by their effect; only with `explain=true`. */
  readonly explained?: ExplainedQuery;
}

/**
 * The names of fields in query strings. They are cached, because every call uses them. Names that callers choose are
 * converted as well, so the cache has a limit; it is much larger than the number of declared fields.
 */
const wireNames = new Map<string, string>();
const WIRE_NAMES_MAX = 1_000;

/** The name of a field in a query string: `page_size` for `pageSize`. */
export function wireName(field: string): string {
  let name = wireNames.get(field);
  if (name === undefined) {
    name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (wireNames.size < WIRE_NAMES_MAX) wireNames.set(field, name);
  }
  return name;
}

/** Parses a query string. Unknown parameters become notices. Throws the 400 that names every invalid parameter. */
export function readQuery(operation: AnyOperation, search: string, now: number): ReadQuery {
  const parameters = new URLSearchParams(search);
  const frame = decodedFields(frameFieldsOf(operation), parameters, now);
  // The cast is safe, because each value has the type that its field declares.
  const frameValues = frame.values as FrameValues;
  const decoded = decodedFields(fieldsOf(operation), parameters, frameValues.asOf ?? now);
  const { values, unknownCountries } = decoded;
  const violations = [...decoded.violations, ...frame.violations];
  const canonical = [...decoded.canonical, ...frame.canonical].join("&");
  const notices: Notice[] = [...unknownParameters(operation, parameters), ...unknownCountries];
  const jmespath = expressionIn(parameters, violations);
  if (violations.length > 0) throw failure("validation", { violations });
  notices.push(...invertedRanges(operation, values));
  const query = { values, jmespath, canonical, notice: noticeHeader(notices), frame: frameValues };
  if (!frameValues.explain) return query;
  const wired = fieldsOf(operation).map(([name, field]) => ({ name, wireName: wireName(name), field }));
  return { ...query, explained: explainedQuery(wired, parameters, { values, notices }) };
}

type Fields = readonly (readonly [name: string, field: QueryField<unknown>])[];

const frameByOperation = new WeakMap<AnyOperation, Fields>();

function frameFieldsOf(operation: AnyOperation): Fields {
  let fields = frameByOperation.get(operation);
  if (!fields) {
    fields = frameFields(({ lacking }) => lacking(operation));
    frameByOperation.set(operation, fields);
  }
  return fields;
}

const frameOfAccounts = frameFields(({ lackingForAccounts }) => lackingForAccounts);

/** The projection of a query, or undefined. Adds a violation if the query has more than one. */
function expressionIn(parameters: URLSearchParams, violations: Violation[]): string | undefined {
  const expressions = parameters.getAll("jmespath").filter((text) => text !== "");
  if (expressions.length > 1) {
    violations.push({ field: "jmespath", description: `must be given once, got ${expressions.length} values` });
  }
  return expressions[0];
}

/**
 * Parses the query string of an account read, as `readQuery` does. Throws the 400 that names every invalid parameter.
 */
export function readAccountQuery(read: AnyAccountRead, search: string, now: number): Omit<ReadQuery, "canonical"> {
  const parameters = new URLSearchParams(search);
  const { values, violations, unknownCountries } = decodedFields(fieldsOf(read), parameters, now);
  const frame = decodedFields(frameOfAccounts, parameters, now);
  violations.push(...frame.violations);
  const jmespath = expressionIn(parameters, violations);
  if (violations.length > 0) throw failure("validation", { violations });
  const notice = noticeHeader([...unknownParameters(read, parameters), ...unknownCountries]);
  // The cast is safe, because each value has the type that its field declares.
  return { values, jmespath, notice, frame: frame.values as FrameValues };
}

/** Parses the query string of a stream, which has no projection. Throws the 400 that names every invalid parameter. */
export function readStreamQuery(stream: Stream, search: string, now: number): UnprojectedQuery {
  return readUnprojected(stream, search, now, "streams");
}

/** Parses the query string of a feed, which has no projection. Throws the 400 that names every invalid parameter. */
export function readFeedQuery(feed: AnyLinkedFeed, search: string, now: number): UnprojectedQuery {
  return readUnprojected(feed, search, now, "feeds");
}

type UnprojectedQuery = Pick<ReadQuery, "values" | "notice" | "frame">;

const frameOf = {
  streams: frameFields(() => "is not available for streams"),
  feeds: frameFields(({ isForFeeds }) => (isForFeeds ? undefined : "is not available for feeds")),
};

function readUnprojected(get: Queried, search: string, now: number, kind: keyof typeof frameOf): UnprojectedQuery {
  const parameters = new URLSearchParams(search);
  const { values, violations } = decodedFields(fieldsOf(get), parameters, now);
  const frame = decodedFields(frameOf[kind], parameters, now);
  violations.push(...frame.violations);
  if (expressionIn(parameters, violations) !== undefined) {
    violations.push({ field: "jmespath", description: `is not available for ${kind}` });
  }
  if (violations.length > 0) throw failure("validation", { violations });
  const notice = noticeHeader(unknownParameters(get, parameters));
  // The cast is safe, because each value has the type that its field declares.
  return { values, notice, frame: frame.values as FrameValues };
}

/** The decoded fields of a query. */
interface DecodedFields {
  readonly values: Readonly<Record<string, unknown>>;
  readonly violations: Violation[];
  readonly canonical: readonly string[];
  readonly unknownCountries: readonly Notice[];
}

/** Decodes these fields; adds a violation for each invalid value. */
export function decodedFields(fields: Fields, parameters: URLSearchParams, now: number): DecodedFields {
  const values: Record<string, unknown> = {};
  const violations: Violation[] = [];
  const canonical: string[] = [];
  const unknownCountries: Notice[] = [];
  for (const [name, field] of fields) {
    const texts = parameters.getAll(wireName(name)).filter((text) => text !== "");
    const decoded = texts.length === 0 && field.required ? { violation: "is required" } : field.decode(texts, now);
    if ("violation" in decoded) violations.push({ field: name, description: decoded.violation });
    else if (hasNullCharacter(decoded.value)) violations.push({ field: name, description: NO_NULL_CHARACTER });
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

/** A declaration with query parameters, without the specific types of its query. */
type Queried = Pick<AnyOperation, "query"> | Pick<AnyAccountRead, "query"> | Pick<Stream, "query">;

function unknownParameters(operation: Queried, parameters: URLSearchParams): Notice[] {
  const declaredNames = parameterNames(operation);
  const unknown = new Set([...parameters.keys()].filter((name) => name !== "" && !declaredNames.has(name)));
  return [...unknown].map((name): Notice => ({ kind: "unknown-parameter", name }));
}

const frameNames = frameParameters.map(([name]) => wireName(name));
const namesByOperation = new WeakMap<Queried, ReadonlySet<string>>();

function parameterNames(operation: Queried): ReadonlySet<string> {
  let names = namesByOperation.get(operation);
  if (!names) {
    names = new Set(["jmespath", ...frameNames, ...Object.keys(operation.query).map(wireName)]);
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

function fieldsOf(operation: Queried): Fields {
  // The cast is safe, because every member of `query` is declared as a `QueryField`.
  return Object.entries(operation.query as Readonly<Record<string, QueryField<unknown>>>);
}
