// Prints precision, recall and F1 of the categories and directions of company events on labelled titles. Default: the
// tuning set; --wrong also lists its misclassified titles. --held-out: the held-out set, without titles, because it is
// not for tuning. Needs a build.
import { register } from "node:module";

register("./typescript-hooks.mjs", import.meta.url);
const { labelledCompanyEvents, heldOutCompanyEvents, EVENT_CATEGORIES } = await import(
  "../test/labelled/companies/company-events.ts"
);
const { titleAt } = await import("../test/labelled/companies/recorded-titles.ts");
const { recordingsAbsent } = await import("../test/support/recordings.ts");
const { filingItemsIn } = await import("../dist/services/company-monitoring/admission/filing-items.js");
const { classOfTitle } = await import("../dist/services/company-monitoring/admission/category.js");

const isHeldOut = process.argv.includes("--held-out");
const rows = (isHeldOut ? heldOutCompanyEvents() : labelledCompanyEvents())
  .filter(({ recorded }) => recorded === "" || !recordingsAbsent)
  .map((row) => {
    const title = row.text || titleAt(row.recorded);
    const filingItems = row.kind === "filing" ? filingItemsIn(title) : undefined;
    const { category, direction } = classOfTitle({ title, ...(filingItems && { filingItems }) });
    return { ...row, title, found: category, foundDirection: category === "none" ? "" : direction };
  });

console.log(
  `${isHeldOut ? "held-out" : "tuning"}: ${rows.length} titles${recordingsAbsent ? ", without recorded ones" : ""}`,
);
printScores("category", rows, EVENT_CATEGORIES, (row) => [row.category, row.found]);
const directed = rows.filter(({ category, found }) => category !== "none" && found !== "none");
printScores("direction, if label and result have a category", directed, ["positive", "negative", "mixed"], (row) => [
  row.direction,
  row.foundDirection,
]);
printScores("direction, with none", rows, ["positive", "negative", "mixed", ""], (row) => [
  row.direction,
  row.foundDirection,
]);
if (process.argv.includes("--wrong") && !isHeldOut) {
  for (const { id, title, category, direction, found, foundDirection } of rows) {
    if (category === found && direction === foundDirection) continue;
    console.log(`${id} ${category} ${direction} -> ${found} ${foundDirection}: ${title}`);
  }
}

function printScores(name, some, classes, pairOf) {
  const pairs = some.map(pairOf);
  const scores = classes.map((wanted) => {
    const both = pairs.filter(([label, found]) => label === wanted && found === wanted).length;
    const labelled = pairs.filter(([label]) => label === wanted).length;
    const predicted = pairs.filter(([, found]) => found === wanted).length;
    const [precision, recall] = [both / Math.max(predicted, 1), both / Math.max(labelled, 1)];
    return {
      wanted,
      labelled,
      precision,
      recall,
      f1: both === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    };
  });
  const macro = scores.reduce((sum, { f1 }) => sum + f1, 0) / scores.length;
  const right = pairs.filter(([label, found]) => label === found).length;
  console.log(`${name}: macro-F1 ${macro.toFixed(3)}, right ${right} of ${pairs.length}`);
  for (const { wanted, labelled, precision, recall, f1 } of scores) {
    const figures = [precision, recall, f1].map((figure) => figure.toFixed(2)).join(", ");
    console.log(`  ${wanted || "none"} (${labelled}): precision, recall, F1 ${figures}`);
  }
}
