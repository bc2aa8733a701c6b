import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Compile } from "typebox/compile";
import { Value } from "typebox/value";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settings } from "../src/app/config.js";
import { deprecationFaults } from "../src/contract/deprecation.js";
import { failureTable } from "../src/contract/failures.js";
import { wireName } from "../src/http/query.js";
import { loadServices } from "../src/services/registry.js";
import { resolvedIn } from "./support/references.js";
import { json, type Stack, startStack } from "./support/stack.js";

const { operations, datasets, sources } = await loadServices();
const contractFile = resolve(import.meta.dirname, "../../shared/contract/operations.json");

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
  await Promise.all(datasets.map(({ name }) => stack.run(name)));
}, 60_000);
afterAll(() => stack.close());

/** Parameters that an operation takes beyond the contract. */
const additions: Readonly<Record<string, readonly string[]>> = { "/api/news/v1/list-feed-digest": ["explain"] };

/** Fields that we serve beyond the contract, which allows for more of them, with the members that lead to them. */
const added: Readonly<Record<string, readonly string[]>> = {
  "/api/aviation/v1/search-provider-dates": ["isDemoMode"],
  "/api/aviation/v1/search-provider-flights": ["isDemoMode"],
  "/api/climate/v1/get-co2-monitoring": [
    "monitoring.annualGrowthRateObservedAt",
    "monitoring.methanePpbObservedAt",
    "monitoring.monthlyAverageObservedAt",
    "monitoring.nitrousOxidePpbObservedAt",
    "monitoring.yearAgoPpmObservedAt",
  ],
  "/api/climate/v1/get-ocean-ice-data": [
    "data.arcticExtentObservedAt",
    "data.ohc0700mZjObservedAt",
    "data.seaLevelUnchangedSince",
    "data.sstAnomalyCObservedAt",
  ],
  "/api/climate/v1/list-air-quality-data": ["stations.station"],
  "/api/climate/v1/list-climate-disasters": ["disasters.countryCodes"],
  "/api/conflict/v1/get-humanitarian-summary": [
    "summary.civilianTargetingEvents",
    "summary.civilianTargetingFatalities",
  ],
  "/api/displacement/v1/get-displacement-summary": ["summary.countries.hostStateless"],
  "/api/intelligence/v1/get-country-intel-brief": ["claimsWithheld", "degraded"],
};

const queryOf = (example: Readonly<Record<string, string>>): string => new URLSearchParams(example).toString();

describe.each(operations.map((registered) => [registered.path, registered] as const))("%s", (path, { operation }) => {
  const strict = Compile(withoutExtras(operation.response));

  test.each(operation.examples.map((example) => [queryOf(example), example] as const))(
    "its example ?%s answers 200",
    async (query, example) => {
      const answer = await stack.get(`${path}?${query}`);
      expect(answer.status).toBe(200);
      const body = json(answer);
      if (!("jmespath" in example)) expect([...strict.Errors(body)].slice(0, 3)).toEqual([]);
      else expect(body).not.toBeNull();
    },
  );

  test("is deprecated with the notice that the policy asks for, if at all", () => {
    expect(operation.deprecation ? deprecationFaults(operation.deprecation) : []).toEqual([]);
  });

  test("says of itself what the documents need", () => {
    expect(operation.summary.length).toBeGreaterThan(10);
    expect(operation.description.length).toBeGreaterThan(40);
    expect(operation.examples.length).toBeGreaterThan(0);
  });

  test("unknown parameters are ignored, empty ones are not given", async () => {
    const plain = await stack.get(path);
    const decorated = await stack.get(`${path}?no_such=1&history=&jmespath=`);
    expect(decorated.body).toEqual(plain.body);
    expect(decorated.headers["ETag"]).toBe(plain.headers["ETag"]);
  });

  test.skipIf(!existsSync(contractFile))("has the parameters and cache tier of the contract", () => {
    const contract = JSON.parse(readFileSync(contractFile, "utf8"));
    const published = contract.operations.find((candidate: { path: string }) => candidate.path === path);
    const names = published.params.map(({ name }: { name: string }) => name);
    const own = additions[path] ?? [];
    expect([...Object.keys(operation.query).map(wireName), "jmespath"].filter((name) => !own.includes(name))).toEqual(
      names,
    );
    expect(operation.cache).toBe(published.cacheTier);
    const served = fieldsWithout(fieldsOf(operation.response), new Set(added[path]));
    expect(served).toEqual(contractFields(contract.schemas, published.response));
  });
});

/** The schema with every object closed, so that an undeclared field is an error. */
function withoutExtras<T>(schema: T): T {
  const copy = Value.Clone(schema);
  close(copy);
  return copy;
}

function close(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  if ("properties" in node) Object.assign(node, { additionalProperties: false });
  for (const value of Object.values(node)) close(value);
}

interface Fields {
  readonly [name: string]: Fields | null;
}

/** Every field path of a TypeBox schema, arrays seen through. */
function fieldsOf(schema: unknown): Fields | null {
  const node = schema as { properties?: Record<string, unknown>; items?: unknown };
  if (node.items) return fieldsOf(node.items);
  if (!node.properties) return null;
  return Object.fromEntries(Object.entries(node.properties).map(([name, value]) => [name, fieldsOf(value)]));
}

/** The fields apart from those whose paths are given. */
function fieldsWithout(fields: Fields | null, paths: ReadonlySet<string>, prefix = ""): Fields | null {
  if (fields === null) return null;
  const kept = Object.entries(fields).filter(([name]) => !paths.has(prefix + name));
  return Object.fromEntries(kept.map(([name, members]) => [name, fieldsWithout(members, paths, `${prefix}${name}.`)]));
}

interface ContractField {
  readonly name: string;
  readonly ref?: string;
  readonly items?: { readonly ref?: string };
}

function contractFields(schemas: Record<string, { fields: ContractField[] }>, name: string | undefined): Fields | null {
  if (name === undefined) return null;
  const { fields } = schemas[name] ?? { fields: [] };
  return Object.fromEntries(
    fields.map((field) => [field.name, contractFields(schemas, field.ref ?? field.items?.ref)]),
  );
}

test("the OpenAPI document names every operation with its parameters", async () => {
  const document = json(await stack.get("/openapi.json", {})) as {
    paths: Record<string, { get: { operationId: string; parameters: object[] } }>;
  };
  for (const { path, operation } of operations) {
    const documented = document.paths[path]?.get;
    expect(documented?.operationId).toBe(operation.rpc);
    const parameters = documented?.parameters.map((parameter) => resolvedIn(document, parameter) as { name: string });
    expect(parameters?.map(({ name }) => name)).toEqual([...Object.keys(operation.query).map(wireName), "jmespath"]);
  }
});

test("an agent finds every operation and its parameters in one page", async () => {
  const text = String((await stack.get("/llms.txt", {})).body);
  for (const { path, operation } of operations) {
    expect(text).toContain(`[${path}](${path})`);
    const [, entry = ""] = text.split(`[${path}](${path})`);
    const [own = ""] = entry.split("\n- ");
    for (const name of Object.keys(operation.query)) expect(own).toMatch(new RegExp(`\\b${wireName(name)}\\b`));
  }
});

test("every dataset has a card that leads each part back to its source", async () => {
  const { datasets: cards } = json(await stack.get("/api/datasets")) as {
    datasets: { name: string; operations: string[]; sources: unknown[]; parts: { provenance: unknown[] }[] }[];
  };
  expect(cards.map(({ name }) => name).sort()).toEqual(datasets.map(({ name }) => name).sort());
  for (const card of cards) {
    expect(card.operations.length).toBeGreaterThan(0);
    expect(card.sources.length).toBeGreaterThan(0);
    for (const part of card.parts) {
      expect(part.provenance.length).toBeGreaterThan(0);
      expect(part.provenance[0]).toMatchObject({
        // A few publishers serve their feeds in the clear only.
        url: expect.stringMatching(/^https?:\/\//),
        // 206 for the end of a long list.
        status: expect.toSatisfy((status) => status === 200 || status === 206),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        rowsBad: 0,
      });
    }
  }
});

test("metrics hold every operation and dataset from the start", async () => {
  const fresh = await startStack();
  try {
    const text = String((await fresh.get("/metrics", {})).body);
    for (const { path } of operations)
      expect(text).toContain(`vigil_requests_total{operation="${path}",status="5xx"} 0`);
    for (const { name } of datasets) {
      expect(text).toContain(`vigil_dataset_generation{dataset="${name}"} 0`);
      expect(text).toContain(`vigil_dataset_state{dataset="${name}",state="absent"} 1`);
    }
  } finally {
    await fresh.close();
  }
});

const documents = ["README.md", "docs/settings.md"].map((file) => resolve(import.meta.dirname, "..", file));

test("every setting, every source's key and every failure is documented", () => {
  const text = documents.map((file) => readFileSync(file, "utf8")).join("\n");
  const variables = sources.flatMap((source) => source.credentials.map(({ variable }) => variable));
  const missing = [...Object.values(settings).map(({ name }) => name), ...variables].filter(
    (name) => !text.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
  for (const { meaning } of Object.values(failureTable)) expect(meaning).toMatch(/\.$/);
});
