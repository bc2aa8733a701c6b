import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settings } from "../src/app/config.js";
import { failureTable } from "../src/contract/failures.js";
import { frameParametersOf } from "../src/contract/frame-parameters.js";
import { wireName } from "../src/http/query.js";
import { loadServices } from "../src/services/registry.js";
import { resolvedIn } from "./support/references.js";
import { json, type Stack, startStack } from "./support/stack.js";

const { operations, accountReads, streams, writes, datasets, sources } = await loadServices();

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ filled: "all" });
}, 180_000);
afterAll(() => stack.close());

test("the OpenAPI document lists every operation with its parameters", async () => {
  const document = json(await stack.get("/openapi.json", {})) as {
    paths: Record<string, { get: { operationId: string; parameters: object[] } }>;
  };
  for (const { path, operation } of operations) {
    const documented = document.paths[path]?.get;
    expect(documented?.operationId).toBe(operation.rpc);
    const parameters = documented?.parameters.map(
      (parameter) => resolvedIn(document, parameter) as { name: string; in: string },
    );
    expect(parameters?.filter((parameter) => parameter.in === "query").map(({ name }) => name)).toEqual([
      ...Object.keys(operation.query).map(wireName),
      "jmespath",
      ...frameParametersOf(operation).map(([name]) => wireName(name)),
    ]);
  }
});

test("the page for agents lists every operation with its parameters", async () => {
  const text = String((await stack.get("/llms.txt", {})).body);
  for (const { path, operation } of operations) {
    expect(text).toContain(`[${operation.rpc}](${path})`);
    const [, entry = ""] = text.split(`[${operation.rpc}](${path})`);
    const [own = ""] = entry.split("\n- ");
    for (const name of Object.keys(operation.query)) expect(own).toMatch(new RegExp(`\\b${wireName(name)}\\b`));
  }
});

test("every dataset has a card that states the source of each part or, for a product, its ingredients", async () => {
  const { datasets: cards } = json(await stack.get("/api/datasets")) as {
    datasets: {
      name: string;
      reads?: string[];
      ingredients?: { dataset: string; generation: number }[];
      operations: string[];
      sources: unknown[];
      parts: { provenance: unknown[] }[];
    }[];
  };
  expect(cards.map(({ name }) => name).sort()).toEqual(datasets.map(({ name }) => name).sort());
  for (const card of cards) {
    expect(card.operations.length).toBeGreaterThan(0);
    expect(card.sources.length).toBeGreaterThan(0);
    if (card.reads) {
      expect(card.ingredients).toMatchObject(card.reads.map((dataset) => ({ dataset, generation: 1 })));
      continue;
    }
    for (const part of card.parts) {
      expect(part.provenance.length).toBeGreaterThan(0);
      expect(part.provenance[0]).toMatchObject({
        // A few publishers serve their feeds over plain HTTP only.
        url: expect.stringMatching(/^https?:\/\//),
        // A source that requests only the end of a long list gets a 206.
        status: expect.toSatisfy((status) => status === 200 || status === 206),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        rowsBad: 0,
      });
    }
  }
});

test("/metrics has every operation, account read, write, stream and dataset from the start", async () => {
  // The write `plan-events` exists only if its secret is set.
  const fresh = await startStack({ env: { VIGIL_PLAN_EVENTS_SECRET: "a secret of this test" } });
  try {
    const text = String((await fresh.get("/metrics", {})).body);
    for (const { path } of [...operations, ...accountReads, ...streams, ...writes])
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

test("every setting, source key and failure is documented", () => {
  const text = documents.map((file) => readFileSync(file, "utf8")).join("\n");
  const variables = sources.flatMap((source) => source.credentials.map(({ variable }) => variable));
  const missing = [...Object.values(settings).map(({ name }) => name), ...variables].filter(
    (name) => !text.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
  const errors = readFileSync(resolve(import.meta.dirname, "../docs/errors.md"), "utf8");
  for (const [name, { status, meaning }] of Object.entries(failureTable)) {
    expect(meaning).toMatch(/\.$/);
    expect(errors).toContain(`## ${status} ${name}\n\nCause: ${meaning}\n\nRemedy: `);
  }
});
