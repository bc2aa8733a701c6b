import { expect, test } from "vitest";
import { seededRandom } from "../kit/random.js";
import { createProjector } from "./project.js";
import { CONTRACT_SENTENCE, hostileDocument, hostileExpression } from "./testing/hostile.js";

/**
 * Number of expressions: a few hundred here; test/acceptance/jmespath-hostile.test.ts runs many more over many more
 * rows, and measures how long each one holds the event loop.
 */
const RUNS = 400;
const ROWS = 300;
const FUEL_UNITS = 100_000;

test("every hostile expression yields a body or an error sentence of the contract, and does not modify the input", async () => {
  const root = hostileDocument(ROWS);
  const before = JSON.stringify(root);
  const random = seededRandom(7);
  const project = createProjector({ limits: { fuelUnitsMax: FUEL_UNITS } });
  for (let run = 0; run < RUNS; run += 1) {
    const projection = await project(hostileExpression(random), root);
    if (!projection.ok) expect(projection.error).toMatch(CONTRACT_SENTENCE);
  }
  expect(JSON.stringify(root)).toBe(before);
});

/** Expressions that make published libraries hang or run out of memory. */
test.each([
  [
    "lists that double",
    Array.from({ length: 200 }, () => "[@,@]")
      .join("|")
      .slice(0, 1_019),
  ],
  ["lists that double and flatten", `rows|${Array.from({ length: 100 }, () => "[@,@][]").join("|")}`],
  ["comparing doubled values", `[${Array(80).fill("[@,@]").join("|")},${Array(80).fill("[@,@]").join("|")}]|[0]==[1]`],
  ["text that doubles", `text|${Array.from({ length: 50 }, () => "join('',[@,@])").join("|")}`],
  ["text of text", `${Array.from({ length: 50 }, () => "to_string([@,@])").join("|")}`],
  ["rows nested in rows", "[*] || rows[*].[@, @][*].[@, @][*].[@, @][*].[@, @][*].[@, @][]"],
  ["the text of a deeply nested list", `to_string(${"[".repeat(500)}@${"]".repeat(500)})`],
])("%s: the projection succeeds or is refused with an error sentence of the contract", async (_, expression) => {
  const projection = await createProjector({ limits: { fuelUnitsMax: 500_000 } })(expression, hostileDocument(ROWS));
  expect(projection.ok || CONTRACT_SENTENCE.test(projection.error)).toBe(true);
});
