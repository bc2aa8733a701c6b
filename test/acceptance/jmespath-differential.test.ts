import fc from "fast-check";
import { expect, test } from "vitest";
import { expressionSoup, jmespathExpression, jsonDocument } from "../../src/jmespath/testing/arbitrary.js";
import { differenceOn, differences, oursFor } from "../../src/jmespath/testing/differences.js";

const RUNS = 100_000;
/** A larger share of explained differences would mean that the comparison tests little. */
const EXPLAINED_RATIO_MAX = 0.1;

test(`a projection agrees with the jmespath package on ${RUNS} expressions, except for explained differences`, () => {
  const counts = new Map(differences.map(({ name }) => [name, 0]));
  fc.assert(
    fc.property(jmespathExpression, jsonDocument, (expression, document) => {
      const difference = differenceOn(expression, document);
      expect(difference).not.toBeNull();
      if (difference) counts.set(difference.name, (counts.get(difference.name) ?? 0) + 1);
    }),
    { numRuns: RUNS },
  );
  const explained = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.info(`${explained} of ${RUNS} differ, each explained:`, Object.fromEntries(counts));
  expect(explained / RUNS).toBeLessThan(EXPLAINED_RATIO_MAX);
});

test(`each of ${RUNS} muddled expressions is refused, agrees with jmespath or has an explained difference`, () => {
  fc.assert(
    fc.property(expressionSoup, jsonDocument, (expression, document) => {
      if (oursFor(expression, document).json !== null) expect(differenceOn(expression, document)).not.toBeNull();
    }),
    { numRuns: RUNS },
  );
});
