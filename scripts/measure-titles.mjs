// Measures how often the titles of the labelled sets (test/labelled/README.md) get the right classes and countries.
// Needs `npm run build`. `node scripts/measure-titles.mjs` prints the figures of the open rows, and each open row whose
// title gets a wrong result. With --held-out, it prints only the figures of the held-out rows, because nothing may be
// tuned on them.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { countriesIn } from "../dist/geography/country-mentions.js";
import { classifyTitle } from "../dist/services/news/rules/titles/threat-class.js";

const isHeldOut = process.argv.includes("--held-out");
const rowsOf = (name) =>
  JSON.parse(readFileSync(new URL(`../test/labelled/${name}.json`, import.meta.url), "utf8")).filter(
    (row) => createHash("sha256").update(row.id).digest()[0] < 77 === isHeldOut,
  );
const show = (line) => {
  if (!isHeldOut) console.log(line);
};
const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;

function measureClasses() {
  const rows = rowsOf("classification");
  const right = { level: 0, category: 0, both: 0 };
  for (const row of rows) {
    const answer = classifyTitle(row.title, row.language);
    const [level, category] = [answer.level === row.level, answer.category === row.category];
    right.level += level;
    right.category += category;
    right.both += level && category;
    if (level && category) continue;
    show(`${row.level}/${row.category} not ${answer.level}/${answer.category}: ${row.title} [${answer.reason}]`);
  }
  console.log(
    `classes, ${rows.length} rows: level ${percent(right.level, rows.length)}, category ${percent(right.category, rows.length)}, both ${percent(right.both, rows.length)}`,
  );
}

function measureCountries() {
  const rows = rowsOf("countries");
  let [right, matched, named, exact] = [0, 0, 0, 0];
  for (const row of rows) {
    const codes = countriesIn(row.title, row.language);
    const common = codes.filter((code) => row.countries.includes(code)).length;
    right += common;
    matched += codes.length;
    named += row.countries.length;
    if (common === codes.length && common === row.countries.length) exact += 1;
    else show(`[${row.countries}] not [${[...codes].sort()}]: ${row.title}`);
  }
  console.log(
    `countries, ${rows.length} rows: micro-F1 ${percent(2 * right, matched + named)}, precision ${percent(right, matched)}, recall ${percent(right, named)}, rows exactly right ${percent(exact, rows.length)}`,
  );
}

function measureTime() {
  const titles = [...rowsOf("classification"), ...rowsOf("countries")];
  for (const [name, operation] of Object.entries({ classifyTitle, countriesIn })) {
    for (const { title, language } of titles) operation(title, language);
    const started = performance.now();
    for (let round = 0; round < 20; round += 1) for (const { title, language } of titles) operation(title, language);
    console.log(`${name}: ${((1000 * (performance.now() - started)) / 20 / titles.length).toFixed(1)} µs a title`);
  }
}

measureClasses();
measureCountries();
measureTime();
