import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { isInRange } from "./support/engine-range.js";

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const read = (file: string): unknown => JSON.parse(readFileSync(resolve(import.meta.dirname, "..", file), "utf8"));

const manifest = read("package.json") as { readonly engines: { readonly node: string } };
const locked = Object.entries((read("package-lock.json") as { packages: Record<string, LockedPackage> }).packages);

/** The oldest supported Node.js and, for each later release line that still gets security fixes, its first release. */
const promised = ["20.19.0", "22.0.0", "24.0.0"];
/** The same for installations with developer packages, some of which need a more recent release of Node.js 22. */
const promisedToDevelopers = ["20.19.0", "22.13.0", "24.0.0"];

/** Lists the packages that npm would warn about on this version of Node.js, each as `name needs range`. */
function warnedOf(version: string, packages: typeof locked): readonly string[] {
  return packages
    .filter(([, { engines }]) => !isInRange(version, engines?.node || "*"))
    .map(([path, { engines }]) => `${path} needs ${engines?.node}`);
}

describe("a range of engines", () => {
  test.each([
    ["^20.19.0 || ^22.13.0 || >=23.5.0", ["20.19.0", "20.30.1", "22.13.0", "24.0.0"], ["20.18.9", "22.12.9", "23.4.0"]],
    ["20.x || 22.x", ["20.0.0", "22.9.9"], ["21.0.0", "23.0.0"]],
    ["18 || 20 || >=22", ["18.3.0", "20.19.0", "25.0.0"], ["19.0.0", "21.5.0"]],
    [">=22.12.0 || >=20.19.0 <21.0.0", ["20.19.0", "22.12.0"], ["21.0.0", "20.18.0"]],
    [">= 0.8", ["0.8.0", "24.0.0"], ["0.7.9"]],
    ["~20.1 || <4 || >30 || =6", ["20.1.9", "3.9.9", "31.0.0", "6.1.7"], ["20.2.0", "4.0.0", "30.9.0", "7.0.0"]],
    ["<=5.1", ["4.0.0", "5.1.7"], ["5.2.0"]],
    [">=v12.22.7", ["20.19.0"], ["12.22.6"]],
    ["*", ["1.0.0"], []],
  ])("the range %s includes and excludes the same versions as npm does", (range, inside, outside) => {
    expect(inside.filter((version) => !isInRange(version, range))).toEqual([]);
    expect(outside.filter((version) => isInRange(version, range))).toEqual([]);
  });

  test("is rejected when its form is unknown", () => {
    expect(() => isInRange("20.0.0", "latest")).toThrow("latest is not a version comparator");
  });
});

describe("the locked packages", () => {
  test("package.json supports all promised versions of Node.js, and none before 20.19", () => {
    expect(isInRange("20.18.9", manifest.engines.node)).toBe(false);
    expect(promised.every((version) => isInRange(version, manifest.engines.node))).toBe(true);
  });

  test.each(promised)("run on Node.js %s in an installation without developer packages", (version) => {
    const installed = locked.filter(([, { dev }]) => !dev);
    expect(installed.length).toBeGreaterThan(50);
    // The bundler and its bindings are left out, because they run only when Vigil is built. Building Vigil needs a more
    // recent release of each line.
    const running = installed.filter(([path]) => !/(?:^|\/)(?:@?rolldown|@napi-rs|vite)(?:\/|$)/.test(path));
    expect(warnedOf(version, running)).toEqual([]);
  });

  test.each(promisedToDevelopers)("run on Node.js %s, so that npm ci prints no warning", (version) => {
    expect(warnedOf(version, locked)).toEqual([]);
  });

  test("are installed by npm ci --omit=dev if the build needs them", () => {
    const needed = new Map(locked).get("")?.optionalDependencies ?? {};
    const isLeftOut = (name: string) => locked.some(([path, { dev }]) => path === `node_modules/${name}` && dev);
    expect(Object.keys(needed)).toEqual(expect.arrayContaining(["rolldown", "vite"]));
    expect(Object.keys(needed).filter(isLeftOut)).toEqual([]);
  });

  test("have no download address, so that npm uses the user's own registry", () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});
