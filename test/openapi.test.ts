import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Compile } from "typebox/schema";
import { expect, test } from "vitest";
import { frameParameters } from "../src/contract/frame-parameters.js";
import { wireName } from "../src/http/query.js";
import { loadServices } from "../src/services/registry.js";
import { resolvedIn } from "./support/references.js";

type Json = Readonly<Record<string, unknown>>;

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Content {
  readonly schema: Json;
  readonly example?: unknown;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly "x-rows"?: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: Readonly<Record<string, object>>;
        readonly content?: Readonly<Record<string, Content>>;
      }
    >
  >;
}

interface DocumentedWebhook {
  readonly parameters: readonly object[];
  readonly requestBody: {
    readonly content: {
      readonly "application/json": { readonly schema: { readonly properties: Readonly<Record<string, Schema>> } };
    };
  };
}

interface OpenApiDocument {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<"post", DocumentedWebhook>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document: OpenApiDocument = JSON.parse(readFileSync(new URL("../docs/openapi.json", import.meta.url), "utf8"));

/** Every property below a node, with its path. */
function* propertiesIn(node: unknown, place: string): Generator<readonly [place: string, schema: Schema]> {
  if (typeof node !== "object" || node === null) return;
  const { properties } = node as Schema;
  for (const [name, schema] of Object.entries(properties ?? {})) yield [`${place}.${name}`, schema];
  for (const [name, schema] of Object.entries(properties ?? {})) yield* propertiesIn(schema, `${place}.${name}`);
  for (const [key, child] of Object.entries(node as Json)) {
    // The members of `properties` are names, not keywords: one may itself be named `properties`, as in GeoJSON.
    if (key !== "properties") yield* propertiesIn(child, `${place}.${key}`);
  }
}

/** The description of a schema, or of the component that it references. */
function descriptionOf({ $ref, description }: Schema): string | undefined {
  const name = $ref?.split("/").at(-1);
  return description ?? (name === undefined ? undefined : document.components.schemas[name]?.description);
}

test("every property of the OpenAPI document has a description, directly or through its component", () => {
  const undescribed = [...propertiesIn(document, "")].filter(([, schema]) => !descriptionOf(schema));
  expect(undescribed.map(([place]) => place)).toEqual([]);
});

const text = JSON.stringify(document);
const byPath = document.paths;
const operations = Object.entries(byPath).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** The size limit for the operations that existed in November 2026, and the limit for each operation added since. */
const HELD = { operations: 58, bytes: 140_000, bytesPerFurtherOperation: 6_000 };

test("the served OpenAPI document has at most 140,000 bytes for its first 58 operations and 6,000 for each further one", () => {
  const further = operations.length - HELD.operations;
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(HELD.bytes + further * HELD.bytesPerFurtherOperation);
});

test("operation ids are short and unique, and those of the released document are unchanged", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9-]{2,34}$/);
  const released: OpenApiDocument = JSON.parse(
    readFileSync(new URL("../docs/released/contract-1.0.0.json", import.meta.url), "utf8"),
  );
  for (const [path, methods] of Object.entries(released.paths)) {
    for (const [method, { operationId, tags }] of Object.entries(methods)) {
      if (!tags.includes("platform")) expect(byPath[path]?.[method]?.operationId).toBe(operationId);
    }
  }
});

test("every tag of an operation is declared and described", () => {
  const described = new Set(document.tags.filter(({ description }) => description).map(({ name }) => name));
  for (const { operation } of operations) {
    expect(operation.tags.filter((tag) => !described.has(tag))).toEqual([]);
    expect(operation.description).toMatch(/./);
  }
});

test("every header and every repeated parameter of the OpenAPI document is a component", () => {
  const headers = operations.flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap(({ headers: own = {} }) => Object.values(own)),
  );
  expect(headers.filter((header) => !("$ref" in header))).toEqual([]);
  const parameters = operations.flatMap(({ operation }) => operation.parameters ?? []);
  const written = parameters
    .filter((parameter) => !("$ref" in parameter))
    .map((parameter) => JSON.stringify(parameter));
  const repeated = written.filter((parameter, index) => written.indexOf(parameter) !== index);
  expect(repeated).toEqual([]);
});

test("every log has a webhook, whose message contains an entry of the log", async () => {
  const { streams } = await loadServices();
  const logs = [...new Set(streams.map(({ stream }) => stream.log))];
  expect(Object.keys(document.webhooks).toSorted()).toEqual(logs.map(({ event }) => event).toSorted());
  for (const log of logs) {
    const post = document.webhooks[log.event]?.["post"];
    const { data } = post?.requestBody.content["application/json"].schema.properties ?? {};
    expect(data).toEqual({ $ref: `#/components/schemas/${log.entry["title" as keyof typeof log.entry]}` });
    expect(post?.parameters).toHaveLength(3);
  }
});

test("the deprecated parameter of the video operation is marked as deprecated", () => {
  const parameters = byPath["/api/aviation/v1/get-video-live-stream-info"]?.["get"]?.parameters ?? [];
  expect(parameters).toContainEqual(expect.objectContaining({ name: "channel", deprecated: true }));
});

/** Paths whose call needs a token that only an email contains, so the document has no example of them. */
const OF_MAILS = ["/api/watches/v1/confirm-watch-email", "/api/watches/v1/stop-watch-email"];
const withExamples = operations.filter(
  ({ path, operation: { tags } }) => !tags.includes("platform") && !OF_MAILS.includes(path),
);

/** The JSON body of a success; undefined for streams and feeds, which have none. */
const contentOf = ({ responses }: DocumentedOperation): Content | undefined =>
  (responses["200"] ?? responses["201"])?.content?.["application/json"];

test.each(
  withExamples.flatMap(({ path, operation }) => {
    const content = contentOf(operation);
    return content === undefined ? [] : [{ path, content }];
  }),
)("the example answer of $path matches its own schema without undeclared members", ({ content }) => {
  expectOwn(content);
});

test.each(operations.filter(({ method, operation: { tags } }) => method === "post" && !tags.includes("platform")))(
  "the example body of $path matches its own schema without undeclared members",
  ({ operation: { requestBody } }) => {
    const [content] = Object.values(requestBody?.content ?? {});
    expectOwn(content ?? { schema: {} });
  },
);

/**
 * Expects the example to match the schema. If the schema has alternatives, the example must match the first one, which
 * describes the answer without a projection.
 */
function expectOwn({ schema, example }: Content): void {
  expect(example).toBeDefined();
  const [own = schema] = (schema as { anyOf?: readonly Json[] }).anyOf ?? [];
  const strict = Compile(closed({ ...(own as Json), components: document.components }) as Json);
  expect([...strict.Errors(example)[1]].slice(0, 3)).toEqual([]);
}

/** The schema with every object closed, so that undeclared members are errors. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return "properties" in copy ? { additionalProperties: false, ...copy } : copy;
}

test.each(["recommended", "recommended-strict"] as const)(
  "redocly's %s rules find no problem in the OpenAPI document",
  async (rules) => {
    const config = await createConfig({ extends: [rules] });
    const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  },
);

const { operations: declaredOperations } = await loadServices();

test("for every list, the OpenAPI document states where the rows are in the answer", () => {
  for (const { path, operation } of declaredOperations) {
    const { list } = operation;
    const place = list && ("groups" in list ? `${list.groups}.*.${list.rows}` : list.rows);
    expect([path, byPath[path]?.["get"]?.["x-rows"]]).toEqual([path, place]);
  }
});

test("every parameter in the OpenAPI document has the description that the operation declares", () => {
  for (const { path, operation } of declaredOperations) {
    const parameters = byPath[path]?.["get"]?.parameters ?? [];
    for (const parameter of parameters.map(
      (each) => resolvedIn(document, each) as { name: string; description: string },
    )) {
      const declaredField = [
        ...Object.entries(operation.query),
        ...frameParameters.map(([name, { field }]) => [name, field] as const),
      ].find(([name]) => wireName(name) === parameter.name)?.[1];
      if (declaredField) expect([path, parameter]).toMatchObject([path, { description: declaredField.description }]);
    }
  }
});
