/** True in the acceptance suites, whose configuration sets the variable. */
const isAcceptance = process.env["VIGIL_TEST_EFFORT"] === "whole";

/** Number of random runs of a property: all of them in `npm run acceptance`, a tenth in `npm test`. */
export function randomRuns(count: number): number {
  return isAcceptance ? count : Math.ceil(count / 10);
}
