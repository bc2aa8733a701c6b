import { readFileSync } from "node:fs";
import { Compile } from "typebox/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mcpPath } from "../src/app/mcp.js";
import { accountPaths } from "../src/http/account/account-routes.js";
import { platformPaths } from "../src/http/platform/routes.js";
import { HOUR_MS } from "../src/kit/clock.js";
import { byKey, makeAccount } from "./support/accounts.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

/* The answers of the platform paths match their schemas in the OpenAPI document and have no undeclared members. */

type Json = Readonly<Record<string, unknown>>;

const document = JSON.parse(readFileSync(new URL("../docs/openapi.json", import.meta.url), "utf8")) as {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly responses: Readonly<Record<string, { readonly content?: Json }>> } }>
  >;
  readonly components: Json;
};

const described = [...platformPaths, ...accountPaths].filter(({ answer }) => answer !== undefined);

let stack: Stack;
beforeAll(async () => {
  // In order: a collected dataset; a product, whose ingredients are filled as well; and a dataset that is never built.
  const datasets = ["us-cpi", "aviation-news", "earthquakes"];
  stack = await startStack({ datasets, filled: ["us-cpi", "aviation-news"] });
  stack.simulator.faults.set({ upstream: "*" }, { kind: "status", code: 500 });
  stack.clock.advance(HOUR_MS);
  await stack.run("us-cpi");
}, 60_000);
afterAll(() => stack.close());

/** The first differences between an answer and the schema of its path. */
function differences(path: string, answer: unknown): readonly unknown[] {
  const { content = {} } = document.paths[path]?.get?.responses["200"] ?? {};
  const [{ schema }] = Object.values(content) as [{ readonly schema: Json }];
  const strict = Compile(closed({ ...schema, components: document.components }) as Json);
  return [...strict.Errors(answer)[1]].slice(0, 3);
}

/** The schema with every object closed, so that undeclared members are errors. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return "properties" in copy ? { additionalProperties: false, ...copy } : copy;
}

test("every platform path that answers JSON declares a schema of its answer", () => {
  const without = [...platformPaths, ...accountPaths, mcpPath]
    .filter(({ contentType, answer }) => contentType.includes("json") && answer === undefined)
    .map(({ path }) => path);
  // MCP messages are specified by the protocol itself.
  expect(without).toEqual([mcpPath.path]);
});

/** The query of each path that needs one. */
const QUERY: Readonly<Record<string, string>> = { "/api/datasets/history": "?name=us-cpi" };

describe.each(described.map(({ path }) => path))("the answer of %s", (path) => {
  test("matches its schema", async () => {
    const answer = await stack.get(`${path}${QUERY[path] ?? ""}`);
    expect(answer.status).toBe(200);
    expect(differences(path, json(answer))).toEqual([]);
  });
});

test.each([
  ["/api/health", "?compact=1"],
  ["/api/datasets", "?name=aviation-news"],
  ["/api/datasets/history", "?name=aviation-news"],
  ["/api/datasets/history", "?name=earthquakes"],
])("the answer of %s%s matches the schema of its path", async (path, query) => {
  const answer = json(await stack.get(`${path}${query}`));
  expect(differences(path, answer)).toEqual([]);
});

test("answers to callers other than the operator match the schemas of their paths", async () => {
  const { reader } = await makeAccount(stack, "Other", "business");
  for (const path of ["/api/health", "/api/datasets", "/api/datasets/history"]) {
    const answer = await call(stack.answer, "GET", `${path}${QUERY[path] ?? ""}`, byKey(reader));
    expect([path, answer.status]).toEqual([path, 200]);
    expect(differences(path, json(answer))).toEqual([]);
  }
});

test("an undeclared member of an answer is reported as a difference", () => {
  expect(differences("/livez", { status: "alive", more: 1 })).not.toEqual([]);
});
