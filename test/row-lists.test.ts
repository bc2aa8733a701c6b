import { afterAll, beforeAll, expect, test } from "vitest";
import { lacksPast } from "../src/contract/as-of.js";
import { identityIn, rowsIn, withRows } from "../src/contract/row-list.js";
import { loadServices } from "../src/services/registry.js";
import { json, type Stack, startStack } from "./support/stack.js";

const { operations } = await loadServices();
const lists = operations.flatMap(({ path, operation }) =>
  operation.list === undefined ? [] : [{ path, operation, list: operation.list }],
);

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ filled: "all" });
}, 180_000);
afterAll(() => stack.close());

test("every list answered only from snapshots declares its rows, and no operation that calls upstreams does", () => {
  for (const { operation } of operations) {
    const isFromSnapshots = lacksPast(operation) === undefined;
    if (operation.rpc.startsWith("list-") && isFromSnapshots) expect(operation).toHaveProperty("list");
    if (!isFromSnapshots) expect(operation).not.toHaveProperty("list");
  }
});

test.each(lists)("the rows of $path have distinct identities", async ({ path, operation, list }) => {
  const counts: number[] = [];
  for (const example of operation.examples.filter((query) => !("jmespath" in query))) {
    const answer = json(await stack.get(`${path}?${new URLSearchParams(example)}`));
    const rows = rowsIn(list, answer);
    const identities = rows.map((row) => identityIn(list, row));
    expect(identities.filter((identity, index) => identities.indexOf(identity) !== index)).toEqual([]);
    for (const identity of identities) expect(identity).toMatch(/^\S(?:.*\S)?$/);
    expect(withRows(list, answer, rows)).toEqual(answer);
    expect(rowsIn(list, withRows(list, answer, rows.slice(1)))).toEqual(rows.slice(1));
    counts.push(rows.length);
  }
  expect(Math.max(...counts)).toBeGreaterThan(0);
});
