import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { shippedPackages } from "../scripts/docs/licences-page.mjs";

const repository = resolve(import.meta.dirname, "..");
const packages = shippedPackages(JSON.parse(readFileSync(resolve(repository, "package-lock.json"), "utf8")));

/** Licences that require only that their notice is kept. */
const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "WTFPL",
]);

/** Packages that run during the build and leave no code in `dist/`. */
const toolsOnly = /^lightningcss(?:-[a-z0-9-]+)?$/;

/** True if the expression is allowed: `A AND B` if both licences are, `A OR B` if one is. AND binds before OR. */
function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const plain = expression.replace(/^\((.*)\)$/, "$1");
  if (/[()]/.test(plain)) throw new Error(`nested licences: ${expression}`);
  return plain.split(" OR ").some((choice) => choice.split(" AND ").every((licence) => allowed.has(licence.trim())));
}

describe("the licences of an installation's packages", () => {
  test("are permissive for every package whose code is shipped", () => {
    expect(packages.length).toBeGreaterThan(100);
    const refused = packages.filter(({ licence }) => licence === undefined || !isAllowed(licence, permissive));
    expect(refused.filter(({ name }) => !toolsOnly.test(name))).toEqual([]);
  });

  test("are MPL-2.0 for one build tool, whose code is not shipped", () => {
    const tools = packages.filter(({ name }) => toolsOnly.test(name));
    expect(new Set(tools.map(({ licence, isForBuilding }) => `${licence} ${isForBuilding}`))).toEqual(
      new Set(["MPL-2.0 true"]),
    );
    const bundled = readFileSync(resolve(repository, "dist/web/licences.md"), "utf8");
    expect(bundled).not.toContain("lightningcss");
  });

  test.each([
    ["(MIT OR GPL-3.0)", true],
    ["MIT AND GPL-3.0", false],
    ["GPL-3.0 OR MIT AND ISC", true],
    ["SSPL-1.0", false],
  ])("%s is allowed: %s", (expression, expected) => {
    expect(isAllowed(expression, permissive)).toBe(expected);
  });
});

test("npm run sbom lists every package of an installation with its version, licence and hash", () => {
  const { status, stdout } = spawnSync("npm", ["run", "--silent", "sbom"], { cwd: repository, encoding: "utf8" });
  expect(status).toBe(0);
  const bom = JSON.parse(stdout);
  expect([bom.bomFormat, bom.specVersion]).toEqual(["CycloneDX", "1.5"]);
  interface Component {
    readonly name: string;
    readonly version: string;
    readonly licenses?: readonly object[];
    readonly hashes?: readonly object[];
  }
  const components: readonly Component[] = bom.components;
  const complete = components.filter(({ licenses = [], hashes = [] }) => licenses.length > 0 && hashes.length > 0);
  const listed = new Set(complete.map(({ name, version }) => `${name}@${version}`));
  // Binaries for other machines are not listed.
  const isForThisMachine = ({ name }: { readonly name: string }) =>
    listed.has(name) || !/-(?:android|darwin|freebsd|linux|openharmony|wasm32|win32)/.test(name);
  expect(
    packages
      .filter(isForThisMachine)
      .map(({ name, version }) => `${name}@${version}`)
      .filter((id) => !listed.has(id)),
  ).toEqual([]);
});
