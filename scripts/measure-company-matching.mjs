// Prints precision and recall of the company matcher on the labelled titles. Without an option it measures the tuning
// rows, the first to third mentions, against the companies of the three files; --wrong lists the titles with another
// result. With --held-out it measures the fourth mentions against the companies of all four files: figures only, because
// they are not for tuning. Counts matches that reach the confidence required for publication. Needs a build.
import { register } from "node:module";
import { companyMatcher } from "../dist/services/company-monitoring/matching/company-matcher.js";

register("./typescript-hooks.mjs", import.meta.url);
const { firstCompanies, fourthCompanies, secondCompanies, thirdCompanies } = await import(
  "../test/labels/companies.ts"
);
const { firstMentions, heldOutMentions, secondMentions, thirdMentions, trapOf } = await import(
  "../test/labels/company-mentions.ts"
);
const { titleAt } = await import("../test/labels/recorded-titles.ts");
const { recordingsAbsent } = await import("../test/support/recordings.ts");

const FLOOR = 0.9;
const isHeldOut = process.argv.includes("--held-out");
const companies = [
  ...firstCompanies(),
  ...secondCompanies(),
  ...thirdCompanies(),
  ...(isHeldOut ? fourthCompanies() : []),
];
const matcher = companyMatcher(
  companies.map(({ id, country, ...company }) => ({ ...company, key: id, domicileCountry: country })),
);
const rows = (isHeldOut ? heldOutMentions() : [...firstMentions(), ...secondMentions(), ...thirdMentions()])
  .filter(({ recorded }) => recorded === "" || !recordingsAbsent)
  .map((row) => {
    const title = row.text || titleAt(row.recorded);
    const matches = matcher.match(title, row.kind === "filing" ? "filing" : "title");
    const found = matches.filter(({ attribution }) => attribution >= FLOOR).map(({ companyKey }) => companyKey);
    return { ...row, title, found };
  });

console.log(`${isHeldOut ? "held-out" : "tuning"}${recordingsAbsent ? ", without recorded titles" : ""}`);
print("all", rows);
for (const trap of [...new Set(rows.map(({ note }) => trapOf(note)))].sort()) {
  print(
    `  ${trap}`,
    rows.filter(({ note }) => trapOf(note) === trap),
  );
}
if (process.argv.includes("--wrong") && !isHeldOut) {
  for (const { id, title, expected, found, note } of rows) {
    if ([...expected].sort().join() === [...found].sort().join()) continue;
    console.log(`${id} [${note}] ${expected.join(", ") || "-"} -> ${found.join(", ") || "-"}: ${title}`);
  }
}

function print(name, some) {
  const both = some.flatMap(({ expected, found }) => found.filter((id) => expected.includes(id))).length;
  const found = some.flatMap((row) => row.found).length;
  const expected = some.flatMap((row) => row.expected).length;
  const [precision, recall] = [both / found, both / expected].map((ratio) =>
    Number.isNaN(ratio) ? "-" : ratio.toFixed(3),
  );
  console.log(
    `${name}: ${some.length} titles, ${expected} mentions, ${found} found: precision ${precision}, recall ${recall}`,
  );
}
