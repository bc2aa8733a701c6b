// Prints precision and recall of the company matcher on labelled titles. Four files of titles are for tuning, and each
// of them is measured separately. Counts only matches with the confidence required for publication. Titles of the first
// three files are matched with the companies of these three files, titles of the fourth file with the companies of all
// four files. --wrong lists the misjudged titles. --held-out <mentions.csv> [<companies.csv>] measures only
// <mentions.csv>, a file that is not for tuning, and never lists its titles. These titles are matched with the
// companies of all four files and of <companies.csv>. Needs a build.

import { register } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { companyMatcher } from "../dist/services/company-monitoring/matching/company-matcher.js";

register("./typescript-hooks.mjs", import.meta.url);
const { companiesIn, firstCompanies, fourthCompanies, secondCompanies, thirdCompanies } = await import(
  "../test/labelled/companies/companies.ts"
);
const { firstMentions, fourthMentions, mentionsIn, secondMentions, thirdMentions, trapOf } = await import(
  "../test/labelled/companies/company-mentions.ts"
);
const { figuresOf, matchRows } = await import("../test/labelled/companies/measured-matches.ts");
const { recordingsAbsent } = await import("../test/support/recordings.ts");

const firstThree = [...firstCompanies(), ...secondCompanies(), ...thirdCompanies()];
const allFour = [...firstThree, ...fourthCompanies()];
const heldOutAt = process.argv.indexOf("--held-out");
const isHeldOut = heldOutAt > 0;
if (recordingsAbsent) console.log("without recorded titles");
if (isHeldOut) {
  const [mentions, companies] = process.argv.slice(heldOutAt + 1).map((path) => pathToFileURL(resolve(path)));
  const added = companies === undefined ? [] : companiesIn(companies);
  report("held-out", matchRows(matcherOf([...allFour, ...added]), mentionsIn(mentions), recordingsAbsent));
} else {
  const tuning = matcherOf(firstThree);
  report("first", matchRows(tuning, firstMentions(), recordingsAbsent));
  report("second", matchRows(tuning, secondMentions(), recordingsAbsent));
  report("third", matchRows(tuning, thirdMentions(), recordingsAbsent));
  report("fourth", matchRows(matcherOf(allFour), fourthMentions(), recordingsAbsent));
}

function matcherOf(companies) {
  return companyMatcher(
    companies.map(({ id, country, ...company }) => ({ ...company, key: id, domicileCountry: country })),
  );
}

function report(name, rows) {
  print(name, rows);
  for (const trap of [...new Set(rows.map(({ note }) => trapOf(note)))].sort()) {
    print(
      `  ${trap}`,
      rows.filter(({ note }) => trapOf(note) === trap),
    );
  }
  if (isHeldOut || !process.argv.includes("--wrong")) return;
  for (const { id, title, expected, matchedIds, note } of rows) {
    if ([...expected].sort().join() === [...matchedIds].sort().join()) continue;
    console.log(`${id} [${note}] ${expected.join(", ") || "-"} -> ${matchedIds.join(", ") || "-"}: ${title}`);
  }
}

function print(name, rows) {
  const { expected, matches, ...ratios } = figuresOf(rows);
  const [precision, recall] = [ratios.precision, ratios.recall].map((ratio) =>
    Number.isNaN(ratio) ? "-" : ratio.toFixed(3),
  );
  console.log(
    `${name}: ${rows.length} titles, ${expected} mentions, ${matches} found: precision ${precision}, recall ${recall}`,
  );
}
