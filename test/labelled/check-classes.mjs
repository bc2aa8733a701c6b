// Checks classification.json, the classification-tuning files and countries.json against the rules in README.md, and
// counts their rows. Run: node test/labelled/check-classes.mjs
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const levels = ["critical", "high", "medium", "low", "info"];
const categories =
  "conflict protest disaster diplomatic economic terrorism cyber health environmental military crime infrastructure tech general";
// ISO 3166-1 alpha-2, and XK for Kosovo.
const codes = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE
GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM
KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ
NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH
SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG
VI VN VU WF WS XK YE YT ZA ZM ZW`.split(/\s+/),
);

const problems = [];
const expect = (holds, problem) => {
  if (!holds) problems.push(problem);
};
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const isHeldOut = (row) => createHash("sha256").update(row.id).digest()[0] < 77;
const tally = (rows, keysOf) => {
  const counts = {};
  for (const key of rows.flatMap(keysOf)) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
};
const show = (label, value) => console.log(`  ${label}: ${JSON.stringify(value).replaceAll('"', "")}`);

function common(name, rows, letter, fields, languages) {
  expect(rows.length >= 420, `${name}: ${rows.length} rows, needed 420`);
  expect(new Set(rows.map((row) => row.id)).size === rows.length, `${name}: an id is used twice`);
  expect(new Set(rows.map((row) => row.title.toLowerCase())).size === rows.length, `${name}: a title is used twice`);
  for (const row of rows) {
    expect(new RegExp(`^${letter}\\d{3}$`).test(row.id), `${name} ${row.id}: the id must be ${letter} and 3 digits`);
    expect(
      row.title.trim() === row.title && row.title.length >= 8,
      `${name} ${row.id}: the title is too short, or begins or ends with a space`,
    );
    for (const key of Object.keys(row)) expect(fields.includes(key), `${name} ${row.id}: unknown field ${key}`);
    expect(row.language === undefined || languages.includes(row.language), `${name} ${row.id}: unknown language`);
    for (const flag of ["trap", "denial"])
      expect(row[flag] === undefined || row[flag] === true, `${name} ${row.id}: ${flag} must be true or absent`);
  }
  const heldOut = rows.filter(isHeldOut).length / rows.length;
  expect(heldOut >= 0.25 && heldOut <= 0.35, `${name}: a share of ${heldOut} is held out, needed 0.25 to 0.35`);
  console.log(`${name}: ${rows.length} rows, ${(100 * heldOut).toFixed(1)} % held out`);
  show(
    "languages",
    tally(rows, (row) => [row.language ?? "en"]),
  );
}

function classification() {
  const name = "classification";
  const rows = read("classification.json");
  const fields = ["id", "title", "language", "level", "category", "trap", "denial"];
  common(name, rows, "c", fields, ["es", "fr", "de", "pt"]);
  for (const row of rows) {
    expect(levels.includes(row.level), `${name} ${row.id}: unknown level`);
    expect(categories.split(" ").includes(row.category), `${name} ${row.id}: unknown category`);
    expect(!row.trap || row.level === "info", `${name} ${row.id}: a trap must have the level info`);
    expect(!(row.trap && row.denial), `${name} ${row.id}: is both a trap and a denial`);
  }
  const byLevel = tally(rows, (row) => [row.level]);
  for (const level of levels) expect(byLevel[level] >= 45, `${name}: too few rows of the level ${level}`);
  const byCategory = tally(rows, (row) => [row.category]);
  for (const category of categories.split(" "))
    expect(byCategory[category] >= 20, `${name}: too few rows of the category ${category}`);
  const traps = rows.filter((row) => row.trap).length;
  const denials = rows.filter((row) => row.denial).length;
  expect(traps >= 40, `${name}: only ${traps} traps`);
  expect(denials >= 20, `${name}: only ${denials} denials`);
  show("levels", byLevel);
  show("categories", byCategory);
  show("traps", traps);
  show("denials", denials);
}

function classificationTuning(name, letter) {
  const rows = read(`${name}.json`);
  const fields = ["id", "title", "language", "level", "category", "trap"];
  expect(new Set(rows.map((row) => row.id)).size === rows.length, `${name}: an id is used twice`);
  expect(new Set(rows.map((row) => row.title.toLowerCase())).size === rows.length, `${name}: a title is used twice`);
  for (const row of rows) {
    expect(new RegExp(`^${letter}\\d{3}$`).test(row.id), `${name} ${row.id}: the id must be ${letter} and 3 digits`);
    expect(
      row.title.trim() === row.title && row.title.length >= 8,
      `${name} ${row.id}: the title is too short, or begins or ends with a space`,
    );
    for (const key of Object.keys(row)) expect(fields.includes(key), `${name} ${row.id}: unknown field ${key}`);
    expect(
      row.language === undefined || ["es", "fr", "de", "pt"].includes(row.language),
      `${name} ${row.id}: unknown language`,
    );
    expect(levels.includes(row.level), `${name} ${row.id}: unknown level`);
    expect(categories.split(" ").includes(row.category), `${name} ${row.id}: unknown category`);
    expect(row.trap === undefined || row.trap === true, `${name} ${row.id}: trap must be true or absent`);
  }
  console.log(`${name}: ${rows.length} rows, none held out`);
  for (const [label, keysOf] of [
    ["languages", (row) => [row.language ?? "en"]],
    ["levels", (row) => [row.level]],
    ["categories", (row) => [row.category]],
    ["traps", (row) => (row.trap ? ["trap"] : [])],
  ])
    show(label, tally(rows, keysOf));
}

function countries() {
  const name = "countries";
  const rows = read("countries.json");
  const fields = ["id", "title", "language", "countries", "trap"];
  common(name, rows, "k", fields, ["es", "fr", "de", "pt", "it"]);
  for (const row of rows) {
    const sorted = [...new Set(row.countries)].sort();
    expect(JSON.stringify(sorted) === JSON.stringify(row.countries), `${name} ${row.id}: codes unsorted or repeated`);
    for (const code of row.countries) expect(codes.has(code), `${name} ${row.id}: unknown country code ${code}`);
  }
  const distinct = Object.keys(tally(rows, (row) => row.countries)).length;
  const empty = rows.filter((row) => row.countries.length === 0).length;
  const several = rows.filter((row) => row.countries.length > 1).length;
  const traps = rows.filter((row) => row.trap).length;
  expect(distinct >= 130, `${name}: only ${distinct} different countries`);
  expect(empty >= 90, `${name}: only ${empty} titles without a country`);
  expect(several >= 60, `${name}: only ${several} titles with several countries`);
  expect(traps >= 90, `${name}: only ${traps} traps`);
  show("countries", distinct);
  show("without a country", empty);
  show("with several countries", several);
  show("traps", traps);
}

classification();
for (const [name, letter] of [
  ["classification-tuning", "t"],
  ["classification-tuning-2", "u"],
  ["classification-tuning-3", "v"],
  ["classification-tuning-4", "w"],
])
  classificationTuning(name, letter);
countries();
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
