import { readFileSync } from "node:fs";
import fc from "fast-check";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resolvedIn } from "./references.js";
import { call, json, type Stack, startStack } from "./stack.js";

type Json = Readonly<Record<string, unknown>>;

/** The parts of a body's schema from which invalid bodies are derived. */
interface BodySchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, BodySchema>>;
}

interface DocumentedAction {
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: BodySchema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly "application/json": { readonly schema: Json } } }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly post?: DocumentedAction }>>;
  readonly components: { readonly schemas: Readonly<Record<string, BodySchema>> };
}

const document: Document = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
const actions = Object.entries(document.paths).flatMap(([path, { post }]) => (post ? [[path, post] as const] : []));
/** Calls to this path are signed with a secret that this service does not have, so the path does not exist here. */
const NOT_HERE = "/api/account/v1/plan-events";
const BATCH = "/api/batch/v1/execute";
/** Interval between calls on the test's clock. It keeps calls below 10 a minute, the lowest limit of any path. */
const ASK_EVERY_MS = 6_100;

/**
 * For each POST of the OpenAPI document, sends `runs` bodies that its schema does not accept. Also sends `runs` valid
 * bodies to the batch. Expects no 5xx, no accepted invalid body, and the documented body for every answer and error.
 */
export function fuzzActions(runs: number): void {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
    await stack.run("us-cpi");
  }, 60_000);
  afterAll(() => stack.close());

  function post(path: string, body: string, contentType: string) {
    stack.clock.advance(ASK_EVERY_MS);
    const key = { "x-service-key": stack.service.access.ownerKey.key ?? "", "content-type": contentType };
    return call(stack.answer, "POST", path, key, { body });
  }

  describe.each(actions.filter(([path]) => path !== NOT_HERE))("POST %s", (path, action) => {
    const [contentType = ""] = Object.keys(action.requestBody.content);
    const schema = resolved(action.requestBody.content[contentType]?.schema ?? {});
    const refusal = validatorOf(action, "400");

    test("refuses bodies that its schema does not accept", async () => {
      await fc.assert(
        fc.asyncProperty(wrongBody(schema, contentType), async ({ body, type }) => {
          const answer = await post(path, body, type);
          expect(answer.status, body).toBe(400);
          expect([...refusal.Errors(json(answer))].slice(0, 3)).toEqual([]);
        }),
        { numRuns: runs },
      );
    });
  });

  test("the batch answers every list of operations in order", async () => {
    const answers = validatorOf(batchAction(), "200");
    await fc.assert(
      fc.asyncProperty(batches, async (operations) => {
        const answer = await post(BATCH, JSON.stringify({ operations }), "application/json");
        expect(answer.status, JSON.stringify(operations)).toBe(200);
        const body = json(answer);
        expect([...answers.Errors(body)].slice(0, 3)).toEqual([]);
        const { results, succeeded, failed } = body as { results: { id: string; status: number }[] } & Record<
          string,
          number
        >;
        expect(results.map(({ id }) => id)).toEqual(operations.map(({ id }, index) => id ?? String(index)));
        expect(Number(succeeded) + Number(failed)).toBe(operations.length);
        expect(results.filter(({ status }) => status >= 500)).toEqual([]);
      }),
      { numRuns: runs },
    );
  });
}

function batchAction(): DocumentedAction {
  const action = document.paths[BATCH]?.post;
  if (!action) throw new Error(`the document has no POST ${BATCH}`);
  return action;
}

function validatorOf({ responses }: DocumentedAction, status: string) {
  const response = resolvedIn(document, responses[status]) as DocumentedAction["responses"][string] | undefined;
  const schema = response?.content["application/json"].schema;
  return Compile({ ...schema, components: document.components });
}

function resolved(schema: BodySchema): BodySchema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

interface SentBody {
  readonly body: string;
  readonly type: string;
}

/**
 * Bodies that are not a JSON object, have another media type, lack a required member, or have a member of the wrong
 * type.
 */
function wrongBody({ properties = {}, required = [] }: BodySchema, contentType: string): fc.Arbitrary<SentBody> {
  const isForm = contentType !== "application/json";
  const noObject = fc.oneof(
    fc.constantFrom("", "{", "[]", "null", "1", '"text"', "[{}]", "{'a':1}"),
    fc.string({ unit: "binary" }).filter((text) => !isObject(text)),
  );
  const ofOtherType = fc.constantFrom("", "text/plain", "text/json", "application/xml", "multipart/form-data");
  const wrong: fc.Arbitrary<SentBody>[] = [ofOtherType.map((type) => ({ body: "{}", type }))];
  if (!isForm) wrong.push(noObject.map((body) => ({ body, type: contentType })));
  for (const name of required) {
    const others = required.filter((other) => other !== name);
    const body = others.map((other): [string, string] => [other, "x"]);
    const text = isForm ? new URLSearchParams(body).toString() : JSON.stringify(Object.fromEntries(body));
    wrong.push(fc.constant({ body: text, type: contentType }));
  }
  if (isForm) return fc.oneof(...wrong);
  for (const [name, member] of Object.entries(properties)) {
    wrong.push(
      wrongValue(resolved(member)).map((value) => ({ body: JSON.stringify({ [name]: value }), type: contentType })),
    );
  }
  return fc.oneof(...wrong);
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** A JSON value that this schema does not accept: of another type, or not in its enum. */
function wrongValue({ type, enum: values }: BodySchema): fc.Arbitrary<unknown> {
  return fc.jsonValue().filter((value) => {
    if (values) return !values.includes(value);
    if (type === "array") return !Array.isArray(value);
    if (type === "integer") return !Number.isInteger(value);
    return type === undefined ? false : typeof value !== type;
  });
}

/** Operations of a batch: calls of a real operation with any projection, and arbitrary paths, strings and URLs. */
const batches = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 40 }).map((expression) => {
        const query = new URLSearchParams({ jmespath: expression });
        return `/api/economic/v1/get-us-cpi-monthly?${query}`;
      }),
      fc.webPath().map((path) => `/api/${path}`),
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.webUrl(),
    ),
    { minLength: 1, maxLength: 20 },
  )
  .chain((paths) =>
    fc
      .option(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,64}$/), { minLength: paths.length, maxLength: paths.length }))
      .map((ids) => paths.map((path, index) => ({ path, ...(ids?.[index] !== undefined && { id: ids[index] }) }))),
  );
