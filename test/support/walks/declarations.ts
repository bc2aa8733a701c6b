import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Compile } from "typebox/compile";
import { Value } from "typebox/value";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deprecationFaults } from "../../../src/contract/deprecation.js";
import type { RegisteredOperation } from "../../../src/contract/operation.js";
import type { AnyDataset } from "../../../src/contract/product.js";
import type { ServiceCases } from "../../../src/contract/testing/service-cases.js";
import { wireName } from "../../../src/http/query.js";
import { json, type Stack, startStack } from "../stack.js";

const contractFolder = resolve(import.meta.dirname, "../../../../shared/contract");

/** A file of the published contract. One file covers the first services; each later group has a file of its own. */
interface Contract {
  readonly operations: readonly PublishedOperation[];
  readonly schemas: Readonly<Record<string, { readonly fields: readonly ContractField[] }>>;
}

interface PublishedOperation {
  readonly path: string;
  readonly params: readonly { readonly name: string }[];
  readonly cacheTier: string;
  readonly pro: boolean;
  readonly response: string;
}

function readContracts(): readonly Contract[] {
  if (!existsSync(contractFolder)) return [];
  const files = readdirSync(contractFolder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith("operations.json"))
    .map((file) => JSON.parse(readFileSync(resolve(contractFolder, file), "utf8")));
}

const contracts = readContracts();
/** The schemas of all files. They are merged, because files of later groups refer to schemas of the first file. */
const contractSchemas: Contract["schemas"] = Object.assign({}, ...contracts.map(({ schemas }) => schemas));

/** Names of members that every object inherits. A lookup of a parameter value in a table must not find them. */
const inheritedNames = ["constructor", "toString", "__proto__"];

/** Tests that operations answer their examples as declared, and that their declarations match the contract. */
export function walkDeclarations(
  operations: readonly RegisteredOperation[],
  filled: readonly string[],
  additions: NonNullable<ServiceCases["additions"]> = {},
): void {
  let stack: Stack;
  beforeAll(async () => {
    const reads = operations.flatMap(({ operation }) => Object.values<AnyDataset>(operation.reads));
    stack = await startStack({ datasets: reads.map(({ name }) => name), filled });
  });
  afterAll(() => stack.close());

  describe.each(operations.map((registered) => [registered.path, registered] as const))("%s", (path, { operation }) => {
    const strict = Compile(withoutExtras(operation.response));
    const examples = operation.examples.map((example) => [new URLSearchParams(example).toString(), example] as const);
    const plainExample = operation.examples.find((example) => !("jmespath" in example)) ?? {};
    const parameters = Object.keys(operation.query).map(wireName);

    test.each(examples)("answers its example ?%s with 200", async (query, example) => {
      const answer = await stack.get(`${path}?${query}`);
      expect(answer.status).toBe(200);
      const body = json(answer);
      if (!("jmespath" in example)) expect([...strict.Errors(body)].slice(0, 3)).toEqual([]);
      else expect(body).not.toBeNull();
    });

    test("declares the notice that the policy requires if it is deprecated", () => {
      expect(operation.deprecation ? deprecationFaults(operation.deprecation) : []).toEqual([]);
    });

    test("declares a summary, a description and an example", () => {
      expect(operation.summary.length).toBeGreaterThan(10);
      expect(operation.description.length).toBeGreaterThan(40);
      expect(operation.examples.length).toBeGreaterThan(0);
    });

    test.each(inheritedNames)("accepts or refuses the parameter value %s like any other string", async (name) => {
      const statuses = await Promise.all(
        parameters.map(async (parameter) => {
          const query = new URLSearchParams({ ...plainExample, [parameter]: name });
          return [parameter, (await stack.get(`${path}?${query}`)).status] as const;
        }),
      );
      expect(statuses.filter(([, status]) => status !== 200 && status !== 400)).toEqual([]);
    });

    test("ignores unknown parameters and treats empty ones as absent", async () => {
      const query = new URLSearchParams(plainExample);
      const empty = [...parameters, "jmespath"].filter((parameter) => !query.has(parameter));
      const target = `${path}?${query}`;
      // The first request fills the cache, because some answers state whether they come from the cache.
      await stack.get(target);
      const plain = await stack.get(target);
      const decorated = await stack.get(`${target}&no_such=1&${empty.map((name) => `${name}=`).join("&")}`);
      expect([plain.status, decorated.status]).toEqual([200, 200]);
      expect(String(decorated.body)).toBe(String(plain.body));
      expect(decorated.headers["ETag"]).toBe(plain.headers["ETag"]);
    });

    test.skipIf(contracts.length === 0)("has the parameters, fields and cache tier of the contract", () => {
      const contract = contracts.find(({ operations: published }) => published.some((other) => other.path === path));
      const published = contract?.operations.find((other) => other.path === path);
      if (!contract || !published) throw new Error(`no contract publishes ${path}`);
      const { parameters = [], fields = [] } = additions[operation.rpc] ?? {};
      const names = [...Object.keys(operation.query).map(wireName), "jmespath"];
      expect(names.filter((name) => !parameters.includes(name))).toEqual(published.params.map(({ name }) => name));
      expect(operation.cache).toBe(published.cacheTier);
      expect(operation.tier !== undefined).toBe(published.pro);
      const served = fieldsWithout(fieldsOf(operation.response), new Set(fields));
      expect(served).toEqual(contractFields({ ...contractSchemas, ...contract.schemas }, published.response));
    });
  });
}

/** Returns a copy of the schema that refuses undeclared fields in every object. */
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

/** The fields of a TypeBox schema as a tree; null if it has none. An array has the fields of its items. */
function fieldsOf(schema: unknown): Fields | null {
  const node = schema as { properties?: Record<string, unknown>; items?: unknown };
  if (node.items) return fieldsOf(node.items);
  if (!node.properties) return null;
  return Object.fromEntries(Object.entries(node.properties).map(([name, value]) => [name, fieldsOf(value)]));
}

/** The fields without those at these paths. */
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

function contractFields(schemas: Contract["schemas"], name: string | undefined): Fields | null {
  if (name === undefined) return null;
  const { fields } = schemas[name] ?? { fields: [] };
  return Object.fromEntries(
    fields.map((field) => [field.name, contractFields(schemas, field.ref ?? field.items?.ref)]),
  );
}
