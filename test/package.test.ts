import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "..");
const { bin } = JSON.parse(readFileSync(resolve(repository, "package.json"), "utf8"));

/** The paths that `npm pack` would put into the current package. */
function packedPaths(): readonly string[] {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: repository, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const [packed] = JSON.parse(stdout) as readonly { readonly files: readonly { readonly path: string }[] }[];
  return packed?.files.map(({ path }) => path) ?? [];
}

test("the package contains the program, its documents and its licence, and none of its sources", () => {
  const paths = packedPaths();
  expect(new Set(paths.map((path) => path.split("/")[0]))).toEqual(
    new Set(["dist", "docs", "CHANGELOG.md", "LICENSE", "README.md", "package.json"]),
  );
  expect(paths).toEqual(
    expect.arrayContaining([
      bin.vigil,
      "dist/bin/builder-worker.js",
      "dist/data/feeds.csv",
      "dist/sdk/index.js",
      "dist/sdk/index.d.ts",
      "dist/licences.txt",
      "dist/web/index.html",
      "dist/web/licences.md",
      "docs/openapi.json",
    ]),
  );
  const others = paths.filter((path) => !/^dist\/sdk\/.*\.d\.ts$/.test(path));
  expect(others.filter((path) => /\.(?:test\.js|ts|map|db|key)$|\/testing\/|\/\./.test(path))).toEqual([]);
});
