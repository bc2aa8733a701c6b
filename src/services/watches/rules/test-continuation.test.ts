import { expect, test } from "vitest";
import { tokenSigner } from "../../../kit/signed-token.js";
import { definitionOf, START_AT } from "../testing/scripted-call.js";
import { checkPlace, testContinuations } from "./test-continuation.js";
import { firstMemory } from "./watch-step.js";

const signer = tokenSigner(Buffer.alloc(32));
const own = testContinuations(signer, "acc_a");
const definition = definitionOf({ quietSeconds: 60 });
const standing = { dataset: "a", generation: 1, state: "ok" } as const;
const place = { at: START_AT, memory: firstMemory(9, START_AT, [standing]) };

test("a continuation yields the signed position, even after the watch was renamed", () => {
  const continuation = own.sign(definition, place);
  expect(own.open(definition, continuation)).toEqual(place);
  expect(own.open({ ...definition, name: "Renamed" }, continuation)).toEqual(place);
});

test.each([
  ["a continuation of another account", testContinuations(signer, "acc_b").sign(definition, place)],
  [
    "a continuation of another store",
    testContinuations(tokenSigner(Buffer.alloc(32, 1)), "acc_a").sign(definition, place),
  ],
  ["a continuation of another definition", own.sign({ ...definition, quietSeconds: 0 }, place)],
  ["a continuation that was changed", own.sign(definition, place).replace("wtc1.ey", "wtc1.eX")],
  ["a text that is not a continuation", "anything"],
])("%s is refused", (_, continuation) => {
  expect(() => own.open(definition, continuation)).toThrow(expect.objectContaining({ failure: "validation" }));
});

const extent = (oldest: number) => ({ extent: async () => ({ oldest, newest: 20, snapshotGeneration: 0 }) });

test.each([
  ["whose next changes are still in the log", { datasets: ["a"], oldest: 10, to: START_AT }, "continued"],
  ["whose next changes have left the log", { datasets: ["a"], oldest: 11, to: START_AT }, "refused"],
  ["of a call that now reads an additional dataset", { datasets: ["a", "b"], oldest: 1, to: START_AT }, "refused"],
  ["after the end of the test", { datasets: ["a"], oldest: 1, to: START_AT - 1 }, "refused"],
])("a watch test that is continued from a position %s (%j) is %s", async (_, { datasets, oldest, to }, outcome) => {
  const checked = checkPlace(place, { datasets }, { timeline: extent(oldest), to }).then(
    () => "continued",
    () => "refused",
  );
  expect(await checked).toBe(outcome);
});
