import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { Compile, type Validator } from "typebox/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { frameParameters } from "../../src/contract/frame-parameters.js";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { wireName } from "../../src/http/query.js";
import { type HttpServer, httpServer } from "../../src/http/server.js";
import { resolvedIn } from "./references.js";
import { json, type Stack, startStack } from "./stack.js";

type Json = Readonly<Record<string, unknown>>;

/** A parameter of an operation in the OpenAPI document. */
interface Parameter {
  readonly name: string;
  readonly in: "query" | "header";
  readonly description: string;
  readonly required: boolean;
  readonly schema: ValueSchema;
}

/** The keywords that schemas of parameters use or may use later. */
interface ValueSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly items?: ValueSchema;
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  /** The schemas of bodies by media type. A refusal always has JSON. */
  readonly content: { readonly "application/json": { readonly schema: Json } };
}

interface DocumentedOperation {
  /** The tag `platform` marks paths of the service itself, which are not operations of the contract. */
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: { readonly "200": DocumentedResponse; readonly "400": DocumentedResponse };
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: DocumentedOperation }>>;
  readonly components: Json;
}

/**
 * A query that must be refused. `fields` are the fields that the violations must name. If `fields` is undefined, the
 * refusal must have `_jmespath_error` instead of violations.
 */
interface RefusedQuery {
  readonly query: string;
  readonly fields: readonly string[] | undefined;
}

/** A parameter with the strings sent for it. */
type SentParameter = readonly [name: string, texts: readonly string[]];

/** Parameters that are not declared by the operation itself; other tests cover them. */
const ofFrame: ReadonlySet<string> = new Set(["jmespath", ...frameParameters.map(([name]) => wireName(name))]);

const INT32_MAX = 2_147_483_647;

/** Operations whose datasets are built only on request. No build runs here, so some of these datasets stay absent. */
const onRequest: ReadonlySet<string> = new Set(["/api/news/v1/list-feed-digest"]);

/**
 * For every GET operation in docs/openapi.json that is tagged neither `platform` nor `account`, sends `runs` queries
 * that the document allows and `runs` queries that it rejects. To repeat a run, set `FUZZ_SEED` in the environment to
 * its seed.
 */
export function fuzzContract(runs: number): void {
  const seed = process.env["FUZZ_SEED"];
  const options = { numRuns: runs, ...(seed !== undefined && { seed: Number(seed) }) };
  let service: FuzzedService;
  beforeAll(async () => {
    service = await startFuzzedService();
  }, 60_000);
  afterAll(() => service.close());

  describe.each(operations)("%s", (path, operation) => {
    const answerSchema = closedSchema(operation.responses["200"]);
    const refusalSchema = closedSchema(operation.responses["400"]);
    // The service returns one buffer for equal answers, so each buffer is checked only once.
    const checked = new WeakSet<object>();

    test(`answers ${runs} valid queries as documented`, async () => {
      const property = fc.asyncProperty(validQuery(path, operation), async (query) => {
        const answer = await service.ask(`${path}?${query}`);
        if (isAccountRead(operation)) {
          // No object has a random id, so the answer may be a 404.
          expect([200, 404]).toContain(answer.status);
          if (answer.status === 200) expectDocumented(answer, answerSchema);
          return;
        }
        expect(answer.status).toBe(200);
        expect(onRequest.has(path) ? ["ok", "partial", "absent"] : ["ok", "partial"]).toContain(
          answer.headers["X-Vigil-State"],
        );
        if (answer.body instanceof Buffer && checked.has(answer.body)) return;
        expectDocumented(answer, answerSchema);
        if (answer.body instanceof Buffer) checked.add(answer.body);
      });
      await fc.assert(property, options);
    });

    const declared = operation.parameters.filter(({ name }) => !ofFrame.has(name));
    const what = declared.length > 0 ? "invalid queries" : "broken projections (no parameter can be refused)";
    test(`refuses ${runs} ${what}`, async () => {
      const property = fc.asyncProperty(refusedQuery(path, declared), async ({ query, fields }) => {
        const answer = await service.ask(`${path}?${query}`);
        expect(answer.status).toBe(400);
        expectDocumented(answer, refusalSchema);
        const body = json(answer) as { readonly violations?: readonly { readonly field: string }[] };
        if (fields) expect(body.violations?.map(({ field }) => field).sort()).toEqual([...fields].sort());
        else expect(body).toMatchObject({ _jmespath_error: expect.stringMatching(/^(?:invalid|expression)_/) });
      });
      await fc.assert(property, options);
    });
  });
}

/** For every stream in docs/openapi.json, sends `runs` queries that the document rejects. */
export function fuzzStreams(runs: number): void {
  let service: FuzzedService;
  beforeAll(async () => {
    service = await startFuzzedService();
  }, 60_000);
  afterAll(() => service.close());

  describe.each(streams)("%s", (path, { parameters, responses }) => {
    const declared = queryParameters(parameters);
    const refusalSchema = closedSchema(resolvedIn(document, responses["400"]) as DocumentedResponse);

    test(`refuses ${runs} invalid queries`, async () => {
      const property = fc.asyncProperty(refusedQuery(path, declared), async ({ query, fields = [] }) => {
        const answer = await service.ask(`${path}?${query}`);
        expect(answer.status).toBe(400);
        expectDocumented(answer, refusalSchema);
        const body = json(answer) as { readonly violations: readonly { readonly field: string }[] };
        expect(body.violations.map(({ field }) => field).sort()).toEqual([...fields].sort());
      });
      await fc.assert(property, { numRuns: runs });
    });
  });
}

const document: OpenApiDocument = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));

const gets = Object.entries(document.paths).flatMap(([path, { get }]) =>
  get && !get.tags.some((tag) => tag === "platform" || tag === "account") ? [[path, get] as const] : [],
);

const answersWith =
  (type: string) =>
  ({ responses }: DocumentedOperation): boolean =>
    Object.hasOwn((resolvedIn(document, responses["200"]) as DocumentedResponse).content, type);

const isJson = answersWith("application/json");
const isStream = answersWith("text/event-stream");

const operations = gets
  .filter(([, operation]) => isJson(operation))
  .map(([path, operation]) => [path, expanded(operation)] as const);

const streams = gets
  .filter(([, operation]) => isStream(operation))
  .map(([path, operation]) => [path, operation] as const);

/** True for a read of the caller's account, which has no snapshot and so no state. */
function isAccountRead({ responses }: DocumentedOperation): boolean {
  return responses["200"].headers?.["X-Vigil-State"] === undefined;
}

/** Parameters of the query, with their references resolved. */
function queryParameters(parameters: readonly object[]): readonly Parameter[] {
  return parameters
    .map((parameter) => resolvedIn(document, parameter) as Parameter)
    .filter((parameter) => parameter.in === "query");
}

/** An operation with its query parameters resolved and only the schema of its unprojected answer. */
function expanded(operation: DocumentedOperation): DocumentedOperation {
  const { parameters, responses } = operation;
  const { content, headers = {} } = resolvedIn(document, responses["200"]) as DocumentedResponse;
  const [schema = {}] = content["application/json"].schema["anyOf"] as readonly Json[];
  return {
    ...operation,
    parameters: queryParameters(parameters),
    responses: {
      "200": { headers, content: { "application/json": { schema } } },
      "400": resolvedIn(document, responses["400"]) as DocumentedResponse,
    },
  };
}

/** The schema of a documented answer with every object closed, which makes undeclared fields errors. */
function closedSchema({ content }: DocumentedResponse): Validator {
  const schema: Json = { ...content["application/json"].schema, components: document.components };
  return Compile(closed(schema) as Json);
}

function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return "properties" in copy ? { additionalProperties: false, ...copy } : copy;
}

function expectDocumented(answer: IdentifiedAnswer, schema: Validator): void {
  expect(answer.headers["Content-Type"]).toBe("application/json; charset=utf-8");
  const body = json(answer);
  // The errors are listed only after the compiled check has failed, because listing is slow.
  if (!schema.Check(body)) throw new Error(`not as documented: ${JSON.stringify(schema.Errors(body)[1].slice(0, 3))}`);
}

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
/**
 * The documented schemas of these parameters allow some values that the service refuses. Each entry generates only
 * values that the service accepts, and is a known gap of the document.
 */
const narrowerThanDocumented: Readonly<Record<string, fc.Arbitrary<string>>> = {
  // No pattern expresses the range of an int64.
  "/api/conflict/v1/list-alpha-events start": int64,
  "/api/conflict/v1/list-alpha-events end": int64,
  "/api/conflict/v1/list-beta-events start": int64,
  "/api/conflict/v1/list-beta-events end": int64,
  // The document cannot state the maximum, which is the current size of the log of proofs.
  "/api/proofs/v1/get-consistency-proof first": fc.constant("1"),
  "/api/proofs/v1/get-consistency-proof second": fc.constantFrom("0", "1"),
  // The document has `minimum: 0` and states the exact rule in words: 0, or a year from 1951 to the current year.
  "/api/displacement/v1/get-displacement-summary year": fc
    .oneof(fc.constant(0), fc.integer({ min: 1951, max: 2026 }))
    .map(String),
};

/** Placeholder in generated queries for a poll cursor, which only the service can create. */
const A_POLL_CURSOR = "a-poll-cursor";

/**
 * Generates a query in which each declared parameter is absent, empty or has a value of its schema, together with some
 * ignored parameters. Optional cursors are absent or empty.
 */
function validQuery(path: string, { parameters }: DocumentedOperation): fc.Arbitrary<string> {
  const declared = parameters.filter(({ name }) => !ofFrame.has(name));
  return fc
    .tuple(fc.tuple(...declared.map((parameter) => validParameter(path, parameter))), ignoredParameters)
    .map((sent) => queryOf(sent.flat()));
}

function validParameter(path: string, parameter: Parameter): fc.Arbitrary<SentParameter> {
  const { name, schema, required } = parameter;
  const sent = (texts: readonly string[]): SentParameter => [name, texts];
  const absentOrEmpty = fc.constantFrom<readonly string[]>([], [""]).map(sent);
  if (isIgnored(parameter.description)) {
    return fc.oneof(
      absentOrEmpty,
      fc.array(fc.oneof(validText(schema), anyText), { minLength: 1, maxLength: 2 }).map(sent),
    );
  }
  if (name === "cursor") return required ? fc.constant(sent([A_POLL_CURSOR])) : absentOrEmpty;
  const value = narrowerThanDocumented[`${path} ${name}`] ?? validText(schema.items ?? schema);
  const { maxItems = 5 } = schema;
  const lists = fc.array(value, { minLength: 1, maxLength: Math.min(maxItems, 5) });
  const values = (schema.type === "array" ? lists : fc.tuple(value)).map(sent);
  return required ? values : fc.oneof({ arbitrary: absentOrEmpty, weight: 1 }, { arbitrary: values, weight: 2 });
}

/** Texts that match a schema. Free-form texts contain any characters but U+0000, which every parameter refuses. */
function validText(schema: ValueSchema): fc.Arbitrary<string> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === "boolean") return fc.constantFrom("true", "false", "True", "FALSE", "1", "0");
  if (schema.type === "integer") {
    const min = schema.minimum ?? -INT32_MAX;
    const max = schema.maximum ?? INT32_MAX;
    return fc.oneof(fc.integer({ min, max: Math.min(max, min + 600) }), fc.integer({ min, max })).map(String);
  }
  if (schema.type === "number") {
    const { minimum: min = -1e6, maximum: max = 1e6 } = schema;
    return fc.double({ min, max, noNaN: true, noDefaultInfinity: true }).map(String);
  }
  if (schema.type !== "string") throw new Error(`no texts for the schema ${JSON.stringify(schema)}`);
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern, "u"));
  if (schema.format === "date") return calendarDay;
  const { minLength = 1, maxLength = 100 } = schema;
  const letters = fc.stringMatching(new RegExp(`^[A-Za-z]{${Math.min(Math.max(2, minLength), maxLength)}}$`));
  return fc.oneof(letters, fc.string({ unit: "binary", minLength, maxLength }).filter(hasNoNullCharacter));
}

function hasNoNullCharacter(text: string): boolean {
  return !text.includes("\u0000");
}

const calendarDay = fc
  .date({ min: new Date(Date.UTC(2020, 0)), max: new Date(Date.UTC(2035, 0)), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));

/**
 * Generates a query in which at least one parameter has a value that its schema refuses, and the others are valid. If
 * no parameter can be refused, the query has a broken projection.
 */
function refusedQuery(path: string, declared: readonly Parameter[]): fc.Arbitrary<RefusedQuery> {
  const refusable = declared.filter(canBeRefused);
  if (refusable.length === 0) return brokenProjection;
  return fc
    .subarray(refusable, { minLength: 1 })
    .chain((offenders) =>
      fc
        .tuple(
          ...declared.map((parameter) =>
            offenders.includes(parameter)
              ? refusedParameter(parameter)
              : validParameter(path, parameter).map((sent): Offence => ({ sent, isSeen: "never" })),
          ),
        )
        .map((offences) => ({ query: queryOf(offences.map(({ sent }) => sent)), fields: fieldsNamed(offences) })),
    );
}

/** False if the parameter accepts every value, as a list of free-form texts does. */
function canBeRefused({ description, schema }: Parameter): boolean {
  if (isIgnored(description)) return false;
  return schema.type !== "array" || refusedTexts(schema.items ?? schema, false).length > 0;
}

/**
 * A sent parameter, and when its fault is detected: `never` for a valid parameter, `last` for a cursor that is rejected
 * only when it is opened, and `at once` for every other fault. A cursor is opened only if all other parameters are
 * valid.
 */
interface Offence {
  readonly sent: SentParameter;
  readonly isSeen: "at once" | "last" | "never";
}

function fieldsNamed(offences: readonly Offence[]): readonly string[] {
  const seen = (when: Offence["isSeen"]): string[] =>
    offences.filter(({ isSeen }) => isSeen === when).map(({ sent: [name] }) => fieldName(name));
  return seen("at once").length > 0 ? seen("at once") : seen("last");
}

/** The name of a parameter in violations, which is its name in the contract: `pageSize` for `page_size`. */
function fieldName(parameter: string): string {
  return parameter.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function refusedParameter({ name, description, schema }: Parameter): fc.Arbitrary<Offence> {
  const sent = (texts: readonly string[]): SentParameter => [name, texts];
  const value = schema.items ?? schema;
  const refusable = refusedTexts(value, /counts as/.test(description));
  const atOnce = (
    schema.type === "array" ? refusable.map((texts) => texts.filter(hasWrongItem(value))) : refusable
  ).map((refused) => refused.map((text) => [text]));
  // An empty value counts as absent, however often it is sent.
  const nonEmpty = validText(value).filter((text) => text !== "");
  const twice = schema.type === "array" ? [] : [fc.tuple(nonEmpty, nonEmpty).map((texts) => [...texts])];
  const seen = (isSeen: Offence["isSeen"]) => (texts: fc.Arbitrary<string[]>) =>
    texts.map((refused): Offence => ({ sent: sent(refused), isSeen }));
  if (name !== "cursor") return fc.oneof(...[...atOnce, ...twice].map(seen("at once")));
  // The service checks the pattern of a cursor only when it opens the cursor, together with the signature.
  return fc.oneof(
    ...atOnce
      .map((texts) => texts.filter(([text = ""]) => hasNoNullCharacter(text)))
      .map(seen(value.pattern === undefined ? "at once" : "last")),
    ...twice.map(seen("at once")),
    malformedCursor.map((cursor): Offence => ({ sent: sent([cursor]), isSeen: "last" })),
  );
}

/**
 * Returns a function that tests a comma-joined list. True if the list is too long, or if an item that is not blank does
 * not match the pattern, not even in upper case.
 */
function hasWrongItem({ pattern = "", maxLength = Infinity }: ValueSchema): (list: string) => boolean {
  const shape = new RegExp(pattern, "u");
  return (list) =>
    list.length > maxLength ||
    list
      .split(",")
      .map((item) => item.trim())
      .some((item) => item !== "" && !shape.test(item) && !shape.test(item.toUpperCase()));
}

/** True for a parameter that is ignored and accepts anything. */
function isIgnored(description: string): boolean {
  return /^Accepted and ignored/.test(description);
}

const anyText = fc.string({ unit: "binary", minLength: 1, maxLength: 60 });

/** An empty projection, and parameters with undeclared names. */
const ignoredParameters: fc.Arbitrary<SentParameter[]> = fc.array(
  fc.oneof(
    fc.constant<SentParameter>(["jmespath", [""]]),
    fc.tuple(fc.stringMatching(/^x_[a-z]{1,8}$/), fc.tuple(anyText)),
  ),
  { maxLength: 2 },
);

const malformedCursor = fc.oneof(
  anyText.filter(hasNoNullCharacter),
  fc.base64String({ minLength: 1, maxLength: 60 }).map((payload) => `pg1.${payload}.${payload}`),
);

/** Kinds of text that a schema refuses; none for free-form text. If `isClamped`, no integer is too large. */
function refusedTexts(schema: ValueSchema, isClamped: boolean): fc.Arbitrary<string>[] {
  if (schema.enum) {
    const foreign = fc.constantFrom("OTHER_UNSPECIFIED", "_UNSPECIFIED", "UNSPECIFIED");
    return [fc.oneof(foreign, anyText).filter((text) => !schema.enum?.includes(text))];
  }
  if (schema.type === "boolean") {
    return [fc.oneof(fc.constantFrom("2", "-0", "yes", "on", " true"), anyText).filter(isNeitherTrueNorFalse)];
  }
  if (schema.type === "integer") return refusedIntegers(schema, isClamped);
  if (schema.type === "number") return refusedNumbers(schema);
  if (schema.format === "date") {
    return [fc.oneof(fc.constantFrom("2026-02-29", "2026-13-01", "2026-1-1", "20261121"), anyText.filter(isNoDay))];
  }
  if (schema.pattern !== undefined) {
    const pattern = new RegExp(schema.pattern, "u");
    return [anyText.filter((text) => !pattern.test(text))];
  }
  const { minLength = 1, maxLength } = schema;
  const short = minLength > 1 ? [fc.string({ minLength: 1, maxLength: minLength - 1 })] : [];
  if (maxLength === undefined) return short;
  return [...short, fc.string({ minLength: maxLength + 1, maxLength: maxLength + 20 })];
}

function isNeitherTrueNorFalse(text: string): boolean {
  return !/^(?:true|false|1|0)$/i.test(text);
}

function isNoDay(text: string): boolean {
  return !/^\d{4}-\d{2}-\d{2}$/.test(text);
}

function refusedNumbers({ minimum, maximum }: ValueSchema): fc.Arbitrary<string>[] {
  const wrong = [
    fc.oneof(fc.constantFrom("1,5", "0x10", "+1", " 1", "NaN", "Infinity", "true"), anyText.filter(isNoNumber)),
  ];
  if (minimum !== undefined) wrong.push(fc.integer({ max: minimum - 1 }).map(String));
  if (maximum !== undefined) wrong.push(fc.integer({ min: maximum + 1 }).map(String));
  return wrong;
}

function isNoNumber(text: string): boolean {
  return Number.isNaN(Number(text));
}

function refusedIntegers({ minimum, maximum, format }: ValueSchema, isClamped: boolean): fc.Arbitrary<string>[] {
  const wrong = [
    fc.oneof(fc.constantFrom("1.0", "1e2", "0x10", "+1", " 1", "1 ", "٣", "NaN", "true"), anyText),
    fc.double({ noInteger: true, noNaN: true }).map(String),
  ].map((texts) => texts.filter((text) => !/^-?\d+$/.test(text)));
  const max = maximum ?? (format === "int32" ? INT32_MAX : undefined);
  if (minimum !== undefined) wrong.push(fc.integer({ max: minimum - 1 }).map(String));
  if (max !== undefined && !isClamped) {
    wrong.push(fc.bigInt({ min: BigInt(max) + 1n, max: 10n ** 30n }).map(String));
  }
  return wrong;
}

const brokenProjection: fc.Arbitrary<RefusedQuery> = fc.oneof(
  fc
    .oneof(
      fc.constantFrom("[", "a.", "@@", "no_such_function(@)", "abs(@)", "a b", "{a}", "`1", "'open", "\u0000", "*["),
      anyText.map((name) => `${JSON.stringify(name)}.`),
      fc.string({ unit: "binary", minLength: 1025, maxLength: 1100 }),
    )
    .map((expression) => ({ query: queryOf([["jmespath", [expression]]]), fields: undefined })),
  fc
    .tuple(anyText, anyText)
    .map((expressions) => ({ query: queryOf([["jmespath", expressions]]), fields: ["jmespath"] })),
);

function queryOf(sent: readonly SentParameter[]): string {
  return new URLSearchParams(
    sent.flatMap(([name, texts]) => texts.map((value): [string, string] => [name, value])),
  ).toString();
}

/** The service in this process. It also listens on a socket, which receives the HEAD requests. */
interface FuzzedService {
  /** The answer to GET, after checking that HEAD has the same status and headers and no body. */
  ask(target: string): Promise<IdentifiedAnswer>;
  close(): Promise<void>;
}

/** The clock advances by this time per call. The time is so short that no dataset becomes stale during the run. */
const ASK_EVERY_MS = 5;
/** Limits above 24,000 requests a minute: a minute of clock time has 12,000 calls, each with one GET and one HEAD. */
const VIGIL_LIMITS = "operator-minute=30000,own-account=30000";

async function startFuzzedService(): Promise<FuzzedService> {
  const stack: Stack = await startStack({ env: { VIGIL_LIMITS }, filled: "all" });
  const server: HttpServer = httpServer(stack.answer);
  const base = await server.listen("127.0.0.1", 0);
  const agent = new Agent({ keepAlive: true });
  const headers = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  const head = (target: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      request(base + target, { method: "HEAD", agent, headers }, resolve)
        .on("error", reject)
        .end();
    });
  const impacts = json(await stack.get("/api/company-monitoring/v1/list-company-event-impacts", headers));
  const { pollCursor } = (impacts as { readonly snapshot: { readonly pollCursor: string } }).snapshot;
  return {
    async ask(query) {
      stack.clock.advance(ASK_EVERY_MS);
      const target = query.replace(A_POLL_CURSOR, pollCursor);
      const answer = await stack.get(target, headers);
      const headAnswer = await head(target);
      expect(await text(headAnswer)).toBe("");
      expect(headAnswer.statusCode).toBe(answer.status);
      const expected = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]);
      expect(headAnswer.headers).toMatchObject(Object.fromEntries(expected));
      return answer;
    },
    async close() {
      agent.destroy();
      await server.close();
      await stack.close();
    },
  };
}
