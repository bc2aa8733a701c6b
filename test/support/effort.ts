/** True in the acceptance suites, whose configuration sets the variable. */
const isAcceptance = process.env["VIGIL_TEST_EFFORT"] === "whole";

/** Number of random runs of a property: all of them in `npm run acceptance`, a tenth in `npm test`. */
export function randomRuns(count: number): number {
  return isAcceptance ? count : Math.ceil(count / 10);
}

/**
 * The places in which the text with this index is tested: all of them in `npm run acceptance`, a third in `npm test`.
 * Successive texts have different places, so that every place is tested with a third of the texts.
 */
export function somePlaces<T>(places: readonly T[], index: number): readonly T[] {
  return places.filter((_, at) => isAcceptance || (at + index) % 3 === 0);
}
