import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { breakingChanges } from "../src/contract/compatibility/breaking-changes.js";

interface Versioned {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components: { readonly schemas: Readonly<Record<string, { required?: readonly string[] }>> };
}

const docs = resolve(import.meta.dirname, "../docs");
const readDocument = (file: string): Versioned => JSON.parse(readFileSync(resolve(docs, file), "utf8"));

/** The contract as first published, and the document of each package release. */
const releasedFiles = readdirSync(resolve(docs, "released"));
const CONTRACT = "contract-1.0.0.json";
const contract = readDocument(`released/${CONTRACT}`);
const current = readDocument("openapi.json");
const packageVersion: string = JSON.parse(readFileSync(resolve(docs, "../package.json"), "utf8")).version;
const [, changelogVersion, releasedOn] =
  /^## (\S+) \((unreleased|\d{4}-\d{2}-\d{2})\)$/m.exec(readFileSync(resolve(docs, "../CHANGELOG.md"), "utf8")) ?? [];

/** Intended breaking changes, each with a decision in docs/decisions/. */
const decided: ReadonlySet<string> = new Set([
  // 0027: no valid cursor or country is that long, so no meaningful request is refused.
  "GET /api/climate/v1/list-climate-anomalies, query parameter `cursor`: `maxLength` changed from none to 1024",
  "GET /api/climate/v1/list-climate-disasters, query parameter `cursor`: `maxLength` changed from none to 1024",
  "GET /api/infrastructure/v1/list-internet-traffic-anomalies, query parameter `country`: `maxLength` changed from none to 64",
]);

/** Response members that have become optional, by schema, each with a decision. */
const decidedOptional: Readonly<Record<string, readonly string[]>> = {
  // 0038: the summary is absent if the publisher writes none.
  ClimateNewsItem: ["summary"],
};

/** A copy of the document in which the members in `decidedOptional` are optional. */
function withDecidedOptional(document: Versioned): Versioned {
  const copy = structuredClone(document);
  for (const [name, members] of Object.entries(decidedOptional)) {
    const schema = copy.components.schemas[name];
    if (!schema?.required) throw new Error(`${name} promises no member`);
    schema.required = schema.required.filter((member) => !members.includes(member));
  }
  return copy;
}

/** Reported changes that only correct a document: it was wrong in these points, and the answers have not changed. */
const corrections: readonly (readonly [sentence: RegExp, reason: string])[] = [
  [/^POST \S+\/create-(?:key|account), answer 200: was removed$/, "both have always answered 201"],
  [/^GET \S+, answer 200: the alternative \S+Projected"\} is a new form/, "projections were described in words alone"],
  [
    /answer default: the alternative \S+GatewayError"\} is a new form/,
    "bodies of 404 and 405 have always been {error}",
  ],
  [
    /answer 200, header `(?:ETag|Last-Modified|X-Vigil-Data|X-Request-Id|RateLimit-Policy|RateLimit|Deprecation|Sunset)`: was removed$/,
    "headers that every answer has, or that no answer has today, are described once and not at each operation",
  ],
];

test.each(releasedFiles)("since %s, each breaking change of openapi.json has a decision or is a correction", (file) => {
  // Breaking changes wait for the next path version: see docs/versioning.md.
  const released = readDocument(`released/${file}`);
  const changes = breakingChanges(file === CONTRACT ? withDecidedOptional(released) : released, current);
  expect(
    changes.filter((change) => !decided.has(change) && !corrections.some(([sentence]) => sentence.test(change))),
  ).toEqual([]);
});

test("the OpenAPI document has the version of the published contract, and all paths have its major number", () => {
  expect(current.info.version).toBe(contract.info.version);
  expect(current.info.version).toMatch(/^1\./);
  const versions = Object.keys(current.paths).flatMap((path) => /^\/api\/[a-z-]+\/(v\d+)\//.exec(path)?.[1] ?? []);
  expect(new Set(versions)).toEqual(new Set(["v1"]));
});

test("the changelog begins with the package's version, and docs/released/ has a document of this version if and only if it is released", () => {
  expect(changelogVersion).toBe(packageVersion);
  const hasDocument = releasedFiles.includes(`openapi-${packageVersion}.json`);
  expect(hasDocument).toBe(releasedOn !== "unreleased");
});
