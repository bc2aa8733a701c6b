// Checks the labelled stories against their own rules (see README.md here) and prints their counts.
import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const LANGUAGES = ["en", "es", "fr", "de", "pt", "ar", "ru", "zh", "ja", "hi", "tr", "pl"];
const FIELDS = ["id", "title", "source", "language", "publishedAt", "story", "group"];
const HOURS = 3_600_000;

const text = readFileSync(new URL("stories.json", import.meta.url), "utf8");
const rows = JSON.parse(text);

const heldOut = (group) => createHash("sha256").update(group).digest()[0] < 77;
const by = (items, key) => {
  const map = new Map();
  for (const item of items) map.set(key(item), [...(map.get(key(item)) ?? []), item]);
  return map;
};
const only = (items, field, name) => {
  const values = new Set(items.map((item) => item[field]));
  assert.equal(values.size, 1, `${name} has more than one ${field}: ${[...values].join(", ")}`);
};

assert.equal(text.trim().split("\n").length, rows.length + 2, "expected one row per line between the brackets");
assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, "an id is used twice");
for (const row of rows) {
  const { id, title, source, language, publishedAt, story, group } = row;
  assert.deepEqual(Object.keys(row), FIELDS, `${id} has missing or unknown fields`);
  assert.match(id, /^s\d{3}$/);
  assert.match(source, /^Outlet [A-Z]$/, `${id} has an unknown source`);
  assert.ok(LANGUAGES.includes(language), `${id} has the unknown language ${language}`);
  assert.match(publishedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, `${id} has a malformed date`);
  assert.equal(new Date(publishedAt).toISOString(), publishedAt.replace("Z", ".000Z"), `${id} has an impossible date`);
  assert.ok(title === title.trim() && title.length > 0 && !/\s\s/.test(title), `${id} has stray spaces`);
  const suffix = / [-|] (Outlet [A-Z])$/.exec(title)?.[1];
  assert.ok(suffix === undefined || suffix === source, `${id} names an outlet other than its source`);
  for (const name of [story, group])
    assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/, `${id} has the malformed name ${name}`);
}

const stories = by(rows, ({ story }) => story);
for (const [story, members] of stories) {
  only(members, "group", story);
  only(members, "language", story);
  const times = members.map(({ publishedAt }) => Date.parse(publishedAt));
  assert.ok(Math.max(...times) - Math.min(...times) <= 48 * HOURS, `${story} spans more than 48 hours`);
  assert.ok(members.length <= 9, `${story} has more than nine headlines`);
  const copies = new Set(members.map(({ source, title, publishedAt }) => `${source} ${title} ${publishedAt}`));
  assert.equal(copies.size, members.length, `${story} has the same row twice`);
}

const groups = by(rows, ({ group }) => group);
const storiesOf = (members) => by(members, ({ story }) => story);
for (const [group, members] of groups) {
  const names = [...storiesOf(members).keys()];
  if (names.length === 1) assert.equal(group, names[0], `${group} must have the name of its only story`);
  else assert.ok(!stories.has(group), `${group} has several stories, none of which may have its name`);
}
// Near misses are different stories in one language. One event in two languages is not a near miss.
const isNearMiss = (members) =>
  [...by(members, ({ language }) => language).values()].some((same) => storiesOf(same).size >= 2);

const count = (members) => {
  const sizes = [...storiesOf(members).values()].map(({ length }) => length);
  return {
    headlines: members.length,
    stories: sizes.length,
    "of several headlines": sizes.filter((size) => size > 1).length,
    "of one headline": sizes.filter((size) => size === 1).length,
    "near-miss groups": [...by(members, ({ group }) => group).values()].filter(isNearMiss).length,
  };
};
const all = count(rows);
const held = rows.filter(({ group }) => heldOut(group));
const open = rows.filter(({ group }) => !heldOut(group));
const share = held.length / rows.length;
const english = rows.filter(({ language }) => language === "en").length / rows.length;

assert.ok(all.headlines >= 360 && all["of several headlines"] >= 80 && all["of one headline"] >= 60, "too few rows");
assert.ok(all["near-miss groups"] >= 20, "too few near-miss groups");
assert.ok(share >= 0.25 && share <= 0.35, `${(100 * share).toFixed(1)} % are held out, needed 25 to 35 %`);
assert.ok(english >= 0.6 && english <= 0.7, `${(100 * english).toFixed(1)} % are English, needed 60 to 70 %`);
assert.ok(count(held)["of several headlines"] >= 22 && count(held)["near-miss groups"] >= 6, "too few held-out rows");
const several = (members) => [...storiesOf(members).values()].filter(({ length }) => length > 1).length;
const languages = LANGUAGES.map((language) => {
  const [inAll, inOpen, inHeld] = [rows, open, held].map((side) => side.filter((row) => row.language === language));
  assert.ok(several(inAll) >= 2 && several(inOpen) >= 1 && several(inHeld) >= 1, `too few stories in ${language}`);
  return [
    language,
    { headlines: inAll.length, "stories, open": several(inOpen), "stories, held out": several(inHeld) },
  ];
});

console.table({ all, open: count(open), "held out": count(held) });
console.table(Object.fromEntries(languages));
const bySize = by([...stories.values()], ({ length }) => length);
const sizes = [...bySize].sort(([a], [b]) => a - b).map(([size, { length }]) => `${length} of ${size}`);
console.log(`Stories by number of headlines: ${sizes.join(", ")}`);
console.log(`Held out: ${(100 * share).toFixed(1)} % of the headlines. English: ${(100 * english).toFixed(1)} %.`);
