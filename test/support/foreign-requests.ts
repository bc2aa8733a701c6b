import { furtherFormats, furtherFormatsOf } from "../../src/contract/answer-format.js";
import { frameParametersOf } from "../../src/contract/frame-parameters.js";
import type { RegisteredOperation } from "../../src/contract/operation.js";
import { wireName } from "../../src/http/query.js";
import type { Services } from "../../src/services/registry.js";
import type { JsonType } from "./prism.js";

/** A GET whose answer is compared with the OpenAPI document. */
export interface ComparedGet {
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** If the answer is JSON, it is compared with the schema of this media type. */
  readonly type: JsonType;
  /**
   * True if a projection makes the answer an arbitrary JSON value, which the schema of the operation does not describe.
   */
  readonly isProjected?: boolean;
}

/** The media types of formats that are JSON. */
const formatTypes: readonly JsonType[] = ["application/geo+json", "application/feed+json"];

type Query = Readonly<Record<string, string>>;

const NOON = "2026-11-18T12:00:00Z";

/**
 * Every form of call to an operation: its examples, one call for each further format, one call for each of `as_of`,
 * `explain`, `since_generation` and `page_size` that the operation takes, and the calls of `refusals`.
 */
export function getsOf({ path, operation }: RegisteredOperation): readonly ComparedGet[] {
  const [first = {}] = operation.examples;
  const plain = withoutProjection(first);
  const frame = new Set(frameParametersOf(operation).map(([name]) => wireName(name)));
  const since = Object.values(operation.reads as Readonly<Record<string, { readonly name: string }>>)
    .map(({ name }) => `${name}=0`)
    .join(",");
  const formats = furtherFormatsOf(operation).map((format): ComparedGet => {
    const { mediaType } = furtherFormats[format];
    const type = formatTypes.find((jsonType) => jsonType === mediaType) ?? "application/json";
    return { target: targetOf(path, { ...plain, format }), type };
  });
  return [
    ...operation.examples.map((example) => getOf(path, example)),
    ...formats,
    ...(frame.has("as_of") ? [getOf(path, { ...plain, as_of: NOON })] : []),
    ...(frame.has("explain") ? [getOf(path, { ...plain, explain: "true" })] : []),
    ...(frame.has("since_generation") ? [getOf(path, { ...plain, since_generation: since })] : []),
    ...("pageSize" in operation.query ? [getOf(path, { ...plain, page_size: "2" })] : []),
    ...refusals(path, plain),
  ];
}

/** Every form of call to an account read: its examples, and the calls of `refusals`. */
export function accountGetsOf({ path, read }: Services["accountReads"][number]): readonly ComparedGet[] {
  const [first = {}] = read.examples;
  return [...read.examples.map((example) => getOf(path, example)), ...refusals(path, withoutProjection(first))];
}

/** A projection, a call with If-None-Match, three invalid calls, and two calls that request problem details. */
function refusals(path: string, plain: Query): readonly ComparedGet[] {
  const problem = { accept: "application/problem+json" };
  const broken = targetOf(path, { ...plain, jmespath: "[" });
  return [
    getOf(path, { ...plain, jmespath: "keys(@)" }),
    { ...getOf(path, plain), headers: { "if-none-match": "*" } },
    { target: broken, type: "application/json" },
    { target: targetOf(path, { ...plain, page_size: "many", cursor: "none" }), type: "application/json" },
    { target: targetOf(path, plain), type: "application/json", headers: { "x-service-key": "nobody's" } },
    { target: broken, type: "application/problem+json", headers: problem },
    { target: targetOf(path, plain), type: "application/problem+json", headers: { ...problem, "x-service-key": "no" } },
  ];
}

function getOf(path: string, query: Query): ComparedGet {
  return { target: targetOf(path, query), type: "application/json", isProjected: "jmespath" in query };
}

function withoutProjection({ jmespath: _, ...query }: Query): Query {
  return query;
}

function targetOf(path: string, query: Query): string {
  const text = String(new URLSearchParams(query));
  return text === "" ? path : `${path}?${text}`;
}
