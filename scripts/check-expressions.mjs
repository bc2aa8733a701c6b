// Checks that every regular expression of src/ and web/ takes linear time for any text; fails with a list of those that
// do not. The simulator and the scripts are excluded, because they apply their expressions only to this project's own
// text. For src/, the script reads the compiled modules in dist/, so build first. Verdicts are cached in
// node_modules/.cache, so that only new expressions cost time.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { check } from "recheck";
import { expressionsIn } from "./expressions-in.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}dist/`;
const cacheFolder = `${root}node_modules/.cache/vigil/`;
const { version } = JSON.parse(readFileSync(`${root}node_modules/recheck/package.json`, "utf8"));
const cacheFile = `${cacheFolder}expressions-${version}.json`;
// The time limits are off or very long, so that the checker's limits on steps decide, and the verdict is the same on a
// busy machine.
const parameters = { timeout: 600_000, attackTimeout: null, incubationTimeout: null };

const findings = [];
/** The distinct expressions by their text, each with one of the files that contain it. */
const expressions = new Map();
const note = ({ source, flags }, file) => {
  const text = `/${source}/${flags}`;
  if (!expressions.has(text)) expressions.set(text, { source, flags, file });
};

const files = readdirSync(dist, { recursive: true }).filter((file) => isOurs(file) && file.endsWith(".js"));
const sites = new Map();
for (const file of files) {
  const { literals, sites: ofFile } = expressionsIn(readFileSync(dist + file, "utf8"));
  for (const literal of literals) note(literal, file);
  if (ofFile.length > 0) sites.set(file, ofFile);
}

// The console (web/) is compiled into bundles, so its source is read. The console must not build expressions from
// strings.
for (const file of readdirSync(`${root}web/`, { recursive: true }).filter((name) => /\.tsx?$/.test(name))) {
  const { literals, sites: ofFile } = expressionsIn(readFileSync(`${root}web/${file}`, "utf8"), "tsx");
  for (const literal of literals) note(literal, `web/${file}`);
  findings.push(
    ...ofFile.map((place) => `web/${file}:${place} builds an expression from a string; write it as a literal`),
  );
}

// Expressions built from strings are recorded while their modules load.
const constructedAt = new Set();
const Plain = globalThis.RegExp;
globalThis.RegExp = new Proxy(Plain, {
  construct: (target, args, newTarget) => seen(Reflect.construct(target, args, newTarget)),
  apply: (target, self, args) => seen(Reflect.apply(target, self, args)),
});
function seen(expression) {
  const frame = new Error().stack.split("\n").find((line) => line.includes("/dist/") && !line.includes("node_modules"));
  const [, file, place] = /\/dist\/(\S{1,300}?):(\d{1,9}:\d{1,9})/.exec(frame ?? "") ?? [];
  if (file === undefined || !isOurs(file)) return expression;
  constructedAt.add(`${file}:${place}`);
  note(expression, file);
  return expression;
}
const { loadServices } = await import(pathToFileURL(`${dist}services/registry.js`).href);
const { sources, operations } = await loadServices();
for (const file of sites.keys()) await import(pathToFileURL(dist + file).href);
globalThis.RegExp = Plain;

// Patterns of schemas: the validator turns them into expressions with the flag u.
const walked = new Set();
for (const declared of [...sources, ...operations]) {
  const pending = [declared];
  while (pending.length > 0) {
    const value = pending.pop();
    if (walked.has(value)) continue;
    walked.add(value);
    if (typeof value.pattern === "string") note({ source: value.pattern, flags: "u" }, declared.id ?? declared.rpc);
    for (const member of Object.values(value)) if (typeof member === "object" && member !== null) pending.push(member);
  }
}

const unseen = [...sites].flatMap(([file, places]) =>
  places.filter((place) => !constructedAt.has(`${file}:${place}`)).map((place) => `${file}:${place}`),
);

const proved = new Set(readCache());
findings.push(
  ...unseen.map((place) => `${nameOf(place)} builds an expression at run time; make it a constant of its module`),
);
const pending = [...expressions].filter(([text]) => !proved.has(text));
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, judge));
mkdirSync(cacheFolder, { recursive: true });
writeFileSync(cacheFile, JSON.stringify([...expressions.keys()].filter((text) => proved.has(text))));

if (findings.length > 0) {
  console.error(findings.toSorted().join("\n"));
  process.exit(1);
}
console.log(`${expressions.size} regular expressions are linear`);
process.exit(0); // Exits here, because child processes of the checker would keep this process running.

async function judge() {
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [text, { source, flags, file }] = next;
    const verdict = await check(source, flags, parameters);
    if (verdict.status === "safe") proved.add(text);
    else findings.push(`${nameOf(file)} has ${text}: ${verdict.complexity?.summary ?? verdict.error?.kind}`);
  }
}

function isOurs(file) {
  return !/^simulator\/|\/simulated\//.test(file) && existsSync(`${root}src/${file.replace(/\.js$/, ".ts")}`);
}

function nameOf(file) {
  return file.startsWith("web/") ? file : `src/${file}`.replace(/\.js(?=$|:)/, ".ts");
}

function readCache() {
  try {
    return JSON.parse(readFileSync(cacheFile, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}
