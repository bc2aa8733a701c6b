import { expect, test } from "vitest";
import { type EndpointTurns, endpointTurns } from "./endpoint-turns.js";

function order(turns: EndpointTurns, ids: string): string {
  const endpoints = [...ids].map((id) => ({ endpoint_id: id }));
  return turns
    .inOrder(endpoints)
    .map(({ endpoint_id }) => endpoint_id)
    .join("");
}

test("endpoints without a turn come first, in the given order, then those whose last turn is oldest", () => {
  const turns = endpointTurns();
  expect(order(turns, "cab")).toBe("cab");
  for (const id of "abca") turns.begin(id);
  expect(order(turns, "abcxd")).toBe("xdbca");
});

test("beyond the maximum, the oldest turns are forgotten", () => {
  const turns = endpointTurns(2);
  for (const id of "abac") turns.begin(id);
  expect(order(turns, "cabd")).toBe("bdac");
});
