import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { Compile, type Validator } from "typebox/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { type HttpServer, httpServer } from "../../src/http/server.js";
import { resolvedIn } from "./references.js";
import { json, type Stack, startStack } from "./stack.js";

type Json = Readonly<Record<string, unknown>>;

/** What the OpenAPI document says of a query parameter; the keywords are those that its schemas use or may come to use. */
interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: ValueSchema;
}

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
  readonly content: { readonly "application/json": { readonly schema: Json } };
}

interface DocumentedOperation {
  /** What is of the service itself, and no operation of the contract, is tagged `platform`. */
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: { readonly "200": DocumentedResponse; readonly "400": DocumentedResponse };
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: DocumentedOperation }>>;
  readonly components: Json;
}

/** A query that must be refused, and the fields that its violations must name; none for a broken projection. */
interface RefusedQuery {
  readonly query: string;
  readonly fields: readonly string[] | undefined;
}

/** One parameter with the texts that are sent for it. */
type Given = readonly [name: string, texts: readonly string[]];

const INT32_MAX = 2_147_483_647;

/** Operations that read datasets which are built only while somebody asks; nobody builds here, so that some stay absent. */
const onRequest: ReadonlySet<string> = new Set(["/api/news/v1/list-feed-digest"]);

/**
 * Asks every GET operation of docs/openapi.json `runs` times for something that the document allows, and `runs` times for
 * something that it refuses. `FUZZ_SEED` in the environment repeats a run.
 */
export function fuzzContract(runs: number): void {
  const seed = process.env["FUZZ_SEED"];
  const options = { numRuns: runs, ...(seed !== undefined && { seed: Number(seed) }) };
  let asked: Asked;
  beforeAll(async () => {
    asked = await startAsked();
  }, 60_000);
  afterAll(() => asked.close());

  describe.each(operations)("%s", (path, operation) => {
    const answerSchema = closedSchema(operation.responses["200"]);
    const refusalSchema = closedSchema(operation.responses["400"]);
    // The service hands out one buffer for equal answers, which need not be looked at twice.
    const checked = new WeakSet<object>();

    test(`answers ${runs} valid queries as documented`, async () => {
      const property = fc.asyncProperty(validQuery(path, operation), async (query) => {
        const answer = await asked.ask(`${path}?${query}`);
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

    const declared = operation.parameters.filter(({ name }) => name !== "jmespath");
    const what = declared.length > 0 ? "invalid queries" : "broken projections, as it has no parameters to refuse";
    test(`refuses ${runs} ${what}`, async () => {
      const property = fc.asyncProperty(refusedQuery(path, declared), async ({ query, fields }) => {
        const answer = await asked.ask(`${path}?${query}`);
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

const document: OpenApiDocument = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));

const operations = Object.entries(document.paths).flatMap(([path, { get }]) =>
  get && !get.tags.includes("platform") ? [[path, expanded(get)] as const] : [],
);

/** An operation without references, and with the schema of its plain answer instead of those of any projection. */
function expanded(operation: DocumentedOperation): DocumentedOperation {
  const { parameters, responses } = operation;
  const { content } = resolvedIn(document, responses["200"]) as DocumentedResponse;
  const [schema = {}] = content["application/json"].schema["anyOf"] as readonly Json[];
  return {
    ...operation,
    parameters: parameters.map((parameter) => resolvedIn(document, parameter) as Parameter),
    responses: {
      "200": { content: { "application/json": { schema } } },
      "400": resolvedIn(document, responses["400"]) as DocumentedResponse,
    },
  };
}

/** The schema of a documented answer, with every object closed, so that a field that is not declared is an error. */
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
  // Looking for errors is slow; whether there are any is compiled.
  if (!schema.Check(body)) throw new Error(`not as documented: ${JSON.stringify(schema.Errors(body)[1].slice(0, 3))}`);
}

/** Where a query is valid by its schema and refused all the same; each is a gap of the document that is known. */
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const narrowerThanDocumented: Readonly<Record<string, fc.Arbitrary<string>>> = {
  // No pattern says where an int64 ends.
  "/api/conflict/v1/list-alpha-events start": int64,
  "/api/conflict/v1/list-alpha-events end": int64,
  "/api/conflict/v1/list-beta-events start": int64,
  "/api/conflict/v1/list-beta-events end": int64,
  // The document has `minimum: 0` and the rest in words: 0, or a year from 1951 to the current one.
  "/api/displacement/v1/get-displacement-summary year": fc
    .oneof(fc.constant(0), fc.integer({ min: 1951, max: 2026 }))
    .map(String),
};

/**
 * Every declared parameter absent, empty or with a value of its schema, beside some that are ignored; no cursor, since only
 * the service can make one.
 */
function validQuery(path: string, { parameters }: DocumentedOperation): fc.Arbitrary<string> {
  const declared = parameters.filter(({ name }) => name !== "jmespath");
  return fc
    .tuple(fc.tuple(...declared.map((parameter) => validGiven(path, parameter))), ignoredGiven)
    .map((given) => queryOf(given.flat()));
}

function validGiven(path: string, parameter: Parameter): fc.Arbitrary<Given> {
  const { name, schema, required } = parameter;
  const given = (texts: readonly string[]): Given => [name, texts];
  const notGiven = fc.constantFrom<readonly string[]>([], [""]).map(given);
  if (isIgnored(parameter.description)) {
    return fc.oneof(
      notGiven,
      fc.array(fc.oneof(validText(schema), anyText), { minLength: 1, maxLength: 2 }).map(given),
    );
  }
  if (name === "cursor") return notGiven;
  const value = narrowerThanDocumented[`${path} ${name}`] ?? validText(schema.items ?? schema);
  const values = (schema.type === "array" ? fc.array(value, { minLength: 1, maxLength: 5 }) : fc.tuple(value)).map(
    given,
  );
  return required ? values : fc.oneof({ arbitrary: notGiven, weight: 1 }, { arbitrary: values, weight: 2 });
}

/** Texts that a schema takes. Texts of free form are of any characters. */
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
  return fc.oneof(letters, fc.string({ unit: "binary", minLength, maxLength }));
}

const calendarDay = fc
  .date({ min: new Date(Date.UTC(2020, 0)), max: new Date(Date.UTC(2035, 0)), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));

/** At least one parameter with what its schema refuses, the others valid; a broken projection where there is none. */
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
              ? refusedGiven(parameter)
              : validGiven(path, parameter).map((given): Offence => ({ given, isSeen: "never" })),
          ),
        )
        .map((offences) => ({ query: queryOf(offences.map(({ given }) => given)), fields: fieldsNamed(offences) })),
    );
}

/** A list of any texts takes everything. */
function canBeRefused({ description, schema }: Parameter): boolean {
  if (isIgnored(description)) return false;
  return schema.type !== "array" || refusedTexts(schema.items ?? schema, false).length > 0;
}

/** What is given for a parameter, and when its fault is seen: a cursor is opened only for a query that can be read. */
interface Offence {
  readonly given: Given;
  readonly isSeen: "at once" | "last" | "never";
}

function fieldsNamed(offences: readonly Offence[]): readonly string[] {
  const seen = (when: Offence["isSeen"]): string[] =>
    offences.filter(({ isSeen }) => isSeen === when).map(({ given: [name] }) => fieldName(name));
  return seen("at once").length > 0 ? seen("at once") : seen("last");
}

/** Violations name parameters by their name in the contract: `pageSize` for `page_size`. */
function fieldName(parameter: string): string {
  return parameter.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function refusedGiven({ name, description, schema }: Parameter): fc.Arbitrary<Offence> {
  const given = (texts: readonly string[]): Given => [name, texts];
  const value = schema.items ?? schema;
  const refusable = refusedTexts(value, /counts as/.test(description));
  const atOnce = (
    schema.type === "array" ? refusable.map((texts) => texts.filter(hasWrongItem(value))) : refusable
  ).map((refused) => refused.map((text) => [text]));
  const twice =
    schema.type === "array" ? [] : [fc.tuple(validText(value), validText(value)).map((texts) => [...texts])];
  const seenAtOnce = [...atOnce, ...twice].map((texts) =>
    texts.map((refused): Offence => ({ given: given(refused), isSeen: "at once" })),
  );
  if (name !== "cursor") return fc.oneof(...seenAtOnce);
  return fc.oneof(
    ...seenAtOnce,
    malformedCursor.map((cursor): Offence => ({ given: given([cursor]), isSeen: "last" })),
  );
}

/** For a list joined by commas, whose blank items are dropped: true when one of the others does not match. */
function hasWrongItem({ pattern = "", maxLength = Infinity }: ValueSchema): (given: string) => boolean {
  const shape = new RegExp(pattern, "u");
  return (given) =>
    given.length > maxLength ||
    given
      .split(",")
      .map((item) => item.trim())
      .some((item) => item !== "" && !shape.test(item) && !shape.test(item.toUpperCase()));
}

/** True for a parameter that makes no difference, and takes anything. */
function isIgnored(description: string): boolean {
  return /^Accepted and ignored/.test(description);
}

const anyText = fc.string({ unit: "binary", minLength: 1, maxLength: 60 });

/** An empty projection, and names that nothing declares. */
const ignoredGiven: fc.Arbitrary<Given[]> = fc.array(
  fc.oneof(fc.constant<Given>(["jmespath", [""]]), fc.tuple(fc.stringMatching(/^x_[a-z]{1,8}$/), fc.tuple(anyText))),
  { maxLength: 2 },
);

const malformedCursor = fc.oneof(
  anyText,
  fc.base64String({ minLength: 1, maxLength: 60 }).map((payload) => `pg1.${payload}.${payload}`),
);

/** Kinds of text that a schema refuses; none for a text of free form. `isClamped` says that no number is too large. */
function refusedTexts(schema: ValueSchema, isClamped: boolean): fc.Arbitrary<string>[] {
  if (schema.enum) {
    const foreign = fc.constantFrom("OTHER_UNSPECIFIED", "_UNSPECIFIED", "UNSPECIFIED");
    return [fc.oneof(foreign, anyText).filter((given) => !schema.enum?.includes(given))];
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
    return [anyText.filter((given) => !pattern.test(given))];
  }
  const { minLength = 1, maxLength } = schema;
  const short = minLength > 1 ? [fc.string({ minLength: 1, maxLength: minLength - 1 })] : [];
  if (maxLength === undefined) return short;
  return [...short, fc.string({ minLength: maxLength + 1, maxLength: maxLength + 20 })];
}

function isNeitherTrueNorFalse(given: string): boolean {
  return !/^(?:true|false|1|0)$/i.test(given);
}

function isNoDay(given: string): boolean {
  return !/^\d{4}-\d{2}-\d{2}$/.test(given);
}

function refusedNumbers({ minimum, maximum }: ValueSchema): fc.Arbitrary<string>[] {
  const wrong = [
    fc.oneof(fc.constantFrom("1,5", "0x10", "+1", " 1", "NaN", "Infinity", "true"), anyText.filter(isNoNumber)),
  ];
  if (minimum !== undefined) wrong.push(fc.integer({ max: minimum - 1 }).map(String));
  if (maximum !== undefined) wrong.push(fc.integer({ min: maximum + 1 }).map(String));
  return wrong;
}

function isNoNumber(given: string): boolean {
  return Number.isNaN(Number(given));
}

function refusedIntegers({ minimum, maximum, format }: ValueSchema, isClamped: boolean): fc.Arbitrary<string>[] {
  const wrong = [
    fc.oneof(fc.constantFrom("1.0", "1e2", "0x10", "+1", " 1", "1 ", "٣", "NaN", "true"), anyText),
    fc.double({ noInteger: true, noNaN: true }).map(String),
  ].map((texts) => texts.filter((given) => !/^-?\d+$/.test(given)));
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

function queryOf(given: readonly Given[]): string {
  return new URLSearchParams(
    given.flatMap(([name, texts]) => texts.map((value): [string, string] => [name, value])),
  ).toString();
}

/** The service in this process, and the same service behind a socket for what only a server does. */
interface Asked {
  /** The answer to GET, after HEAD was seen to have the same status and headers, and no body. */
  ask(target: string): Promise<IdentifiedAnswer>;
  close(): Promise<void>;
}

/** So that nothing becomes stale while all operations are asked; with HEAD a minute holds 24,000 calls. */
const ASK_EVERY_MS = 5;
const VIGIL_LIMITS = "operator-minute=30000";

async function startAsked(): Promise<Asked> {
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
  return {
    async ask(target) {
      stack.clock.advance(ASK_EVERY_MS);
      const answer = await stack.get(target, headers);
      const answered = await head(target);
      expect(await text(answered)).toBe("");
      expect(answered.statusCode).toBe(answer.status);
      const expected = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]);
      expect(answered.headers).toMatchObject(Object.fromEntries(expected));
      return answer;
    },
    async close() {
      agent.destroy();
      await server.close();
      await stack.close();
    },
  };
}
