import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const src = resolve(import.meta.dirname, "../src");

/** The rooms that each room may import from, besides itself. */
const mayKnow: Readonly<Record<string, readonly string[]>> = {
  commands: [
    "access",
    "app",
    "cli",
    "contract",
    "database",
    "http",
    "ingest",
    "kit",
    "services",
    "simulator",
    "snapshots",
    "upstream",
  ],
  app: [
    "access",
    "contract",
    "database",
    "http",
    "ingest",
    "jmespath",
    "kit",
    "limits",
    "services",
    "snapshots",
    "upstream",
  ],
  kit: [],
  contract: ["feeds", "kit"],
  jmespath: ["kit"],
  feeds: ["kit"],
  geography: ["kit"],
  services: ["contract", "geography", "kit"],
  database: ["contract", "kit"],
  upstream: ["contract", "feeds", "kit"],
  snapshots: ["contract", "database", "kit"],
  ingest: ["contract", "database", "kit", "snapshots", "upstream"],
  access: ["contract", "database", "kit"],
  limits: ["kit"],
  http: ["access", "contract", "database", "kit", "limits", "snapshots"],
  cli: ["contract", "kit"],
  simulator: ["geography", "kit"],
};

interface Import {
  readonly file: string;
  readonly target: string;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}

const files = sourceFiles(src).filter((file) => !file.endsWith(".test.ts"));

const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, specifier = ""]) => ({
    file: relative(src, file),
    target: relative(src, resolve(dirname(file), specifier)),
  })),
);

const roomOf = (path: string): string => path.split("/")[0] ?? "";

test("src/ holds the rooms of the table and nothing else", () => {
  expect(readdirSync(src).sort()).toEqual(Object.keys(mayKnow).sort());
});

test("no file imports from a room that its own may not know", () => {
  const offending = imports.filter(({ file, target }) => {
    const [from, to] = [roomOf(file), roomOf(target)];
    return from !== to && mayKnow[from]?.includes(to) !== true;
  });
  expect(offending.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

test("services know of each other only their datasets", () => {
  const offending = imports.filter(({ file, target }) => {
    const [from, to] = [file, target].map((path) => path.split("/"));
    const isForeign = from?.[0] === "services" && to?.[0] === "services" && from.length > 2 && from[1] !== to[1];
    // A file beside the folders of the services belongs to none of them.
    return isForeign && to.length > 2 && to[2] !== "datasets";
  });
  expect(offending).toEqual([]);
});

test("nothing but kit/clock reads the time", () => {
  const offending = files.filter((file) => {
    if (relative(src, file) === "kit/clock.ts") return false;
    return /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/.test(readFileSync(file, "utf8"));
  });
  expect(offending.map((file) => relative(src, file))).toEqual([]);
});

test("nothing but kit/random uses unseeded chance, secrets apart", () => {
  const offending = files.filter((file) => {
    return relative(src, file) !== "kit/random.ts" && readFileSync(file, "utf8").includes("Math.random");
  });
  expect(offending.map((file) => relative(src, file))).toEqual([]);
});
