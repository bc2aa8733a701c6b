// Classifies labelled titles, and prints the precision, recall and F1 of the categories and directions found. By
// default, measures the tuning set; --wrong also lists the misclassified titles. --held-out measures the held-out set
// and lists no titles, because that set is not for tuning. Needs a build.
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
    return { ...row, title, foundCategory: category, foundDirection: category === "none" ? "" : direction };
  });

console.log(
  `${isHeldOut ? "held-out" : "tuning"}: ${rows.length} titles${recordingsAbsent ? ", without recorded ones" : ""}`,
);
printScores("category", rows, EVENT_CATEGORIES, (row) => [row.category, row.foundCategory]);
const directed = rows.filter(({ category, foundCategory }) => category !== "none" && foundCategory !== "none");
printScores("direction, if label and result both have one", directed, ["positive", "negative", "mixed"], (row) => [
  row.direction,
  row.foundDirection,
]);
printScores("direction, all titles (a missing one is a class)", rows, ["positive", "negative", "mixed", ""], (row) => [
  row.direction,
  row.foundDirection,
]);
if (process.argv.includes("--wrong") && !isHeldOut) {
  for (const { id, title, category, direction, foundCategory, foundDirection } of rows) {
    if (category === foundCategory && direction === foundDirection) continue;
    console.log(`${id} ${category} ${direction} -> ${foundCategory} ${foundDirection}: ${title}`);
  }
}

function printScores(name, some, classes, pairOf) {
  const pairs = some.map(pairOf);
  const scores = classes.map((className) => {
    const both = pairs.filter(([label, result]) => label === className && result === className).length;
    const labelled = pairs.filter(([label]) => label === className).length;
    const predicted = pairs.filter(([, result]) => result === className).length;
    const [precision, recall] = [both / Math.max(predicted, 1), both / Math.max(labelled, 1)];
    return {
      className,
      labelled,
      precision,
      recall,
      f1: both === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    };
  });
  const macro = scores.reduce((sum, { f1 }) => sum + f1, 0) / scores.length;
  const right = pairs.filter(([label, result]) => label === result).length;
  console.log(`${name}: macro-F1 ${macro.toFixed(3)}, right ${right} of ${pairs.length}`);
  for (const { className, labelled, precision, recall, f1 } of scores) {
    const figures = [precision, recall, f1].map((figure) => figure.toFixed(2)).join(", ");
    console.log(`  ${className || "none"} (${labelled}): precision, recall, F1 ${figures}`);
  }
}
