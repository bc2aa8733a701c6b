import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { loadServices, type Services } from "../src/services/registry.js";

const src = resolve(import.meta.dirname, "../src");

/** The rooms (folders of src/) that each room may import from, besides itself. */
const mayKnow: Readonly<Record<string, readonly string[]>> = {
  commands: [
    "access",
    "app",
    "backup",
    "contract",
    "database",
    "http",
    "ingest",
    "kit",
    "mcp",
    "sdk",
    "services",
    "simulator",
    "snapshots",
    "upstream",
    "verify",
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
    "mcp",
    "services",
    "snapshots",
    "upstream",
  ],
  mcp: ["contract", "kit"],
  /** Tables and word lists, without code. */
  data: [],
  kit: [],
  contract: ["feeds", "kit"],
  jmespath: ["kit"],
  /** The client for other programs, which also runs in browsers. */
  sdk: [],
  feeds: ["kit"],
  geography: ["kit"],
  edgar: ["contract", "kit"],
  services: ["contract", "edgar", "feeds", "geography", "kit", "simulator"],
  database: ["contract", "kit"],
  upstream: ["contract", "feeds", "kit"],
  snapshots: ["contract", "database", "kit"],
  backup: ["database", "kit", "snapshots"],
  ingest: ["contract", "database", "kit", "snapshots", "upstream"],
  access: ["contract", "database", "kit"],
  limits: ["kit"],
  http: ["access", "contract", "database", "kit", "limits", "snapshots"],
  simulator: ["geography", "kit"],
  verify: ["contract", "database", "geography", "http", "kit", "snapshots"],
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

test("src/ contains exactly the rooms in the table", () => {
  expect(readdirSync(src).sort()).toEqual(Object.keys(mayKnow).sort());
});

/** True for the files that may use the database: the store of each service, and the registry that finds the stores. */
const knowsDatabase = (path: string): boolean => /^services\/(?:[^/]+\/store\/|registry\.ts$)/.test(path);

test("no file imports from a room that its own room may not import", () => {
  const offending = imports.filter(({ file, target }) => {
    const [from, to] = [roomOf(file), roomOf(target)];
    if (to === "database" && knowsDatabase(file)) return false;
    return from !== to && mayKnow[from]?.includes(to) !== true;
  });
  expect(offending.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

test("modules refer to installed files by their path from src/, because the bundle moves modules", () => {
  const offending = files
    .filter((file) => !file.includes("/testing/"))
    .filter((file) => /new URL\([^)]*import\.meta\.url/.test(readFileSync(file, "utf8")))
    .map((file) => relative(src, file));
  // `own-file.ts` resolves those paths. `builder-thread.ts` starts the builder worker, a separate program that is next
  // to the main program in both dist/app/ and dist/bin/.
  expect(offending).toEqual(["app/builder-thread.ts", "kit/own-file.ts"]);
});

/** The frame: the rooms that serve every service, regardless of its subject. */
const frame: ReadonlySet<string> = new Set(
  Object.keys(mayKnow).filter((room) => !["services", "edgar", "geography", "simulator", "sdk"].includes(room)),
);

/**
 * True for the files that recompute derived values for `vigil verify`. They depend on the subjects of the services, so
 * they are not part of the frame.
 */
const isRecomputation = (path: string): boolean => path.startsWith("verify/checks/");

test("the recomputation of derived values shares only tables and names with the services, and no computation", () => {
  const tables = ["geography/airports.js", "geography/countries.js", "geography/country-key.js"];
  const offending = imports.filter(
    ({ file, target }) =>
      isRecomputation(file) && !["kit", "verify"].includes(roomOf(target)) && !tables.includes(target),
  );
  expect(offending).toEqual([]);
});

test("the frame imports nothing from a service except the registry", () => {
  const offending = imports.filter(
    ({ file, target }) => frame.has(roomOf(file)) && roomOf(target) === "services" && target !== "services/registry.js",
  );
  expect(offending).toEqual([]);
});

test("the frame mentions no operation, dataset, source, setting, quota or group of a service", async () => {
  const names = subjectNames(await loadServices());
  const offending = files
    .filter((file) => frame.has(roomOf(relative(src, file))) && !isRecomputation(relative(src, file)))
    .flatMap((file) => {
      const text = readFileSync(file, "utf8");
      return names.filter((name) => text.includes(name)).map((name) => `${relative(src, file)} mentions ${name}`);
    });
  expect(offending).toEqual([]);
});

/** Groups that concern Vigil as a whole and not one subject, so the frame may mention them. */
const ofTheFrame: ReadonlySet<string> = new Set(["account", "batch", "datasets"]);

/** Returns the names that services declare, as they would appear in code. */
function subjectNames({ groups, operations, allDatasets, sources, settings, quotas }: Services): readonly string[] {
  const credentials = sources.flatMap((source) => source.credentials.map(({ variable }) => variable));
  const quoted = [
    ...allDatasets.map(({ name }) => name),
    ...sources.map(({ id }) => id),
    ...quotas.map(({ name }) => name),
  ];
  return [
    ...operations.map(({ operation }) => operation.rpc),
    ...settings.map(({ name }) => name),
    ...new Set(credentials),
    ...quoted.map((name) => `"${name}"`),
    ...groups
      .filter(({ service }) => !ofTheFrame.has(service))
      .flatMap(({ name, service }) => [`"${name}"`, `/api/${service}/`]),
  ];
}

const isSimulated = (path: string): boolean => /^services\/[^/]+\/simulated\//.test(path);

test("within a service, only the simulated upstreams use the simulator", () => {
  const offending = imports.filter(
    ({ file, target }) => roomOf(file) === "services" && roomOf(target) === "simulator" && !isSimulated(file),
  );
  expect(offending).toEqual([]);
});

test("a simulated upstream shares no code with the decoders that it tests", () => {
  const offending = imports.filter(
    ({ file, target }) =>
      isSimulated(file) !== isSimulated(target) && [file, target].every((path) => roomOf(path) === "services"),
  );
  expect(offending).toEqual([]);
});

test("services import nothing from each other except datasets and products", () => {
  const offending = imports.filter(({ file, target }) => {
    const [from, to] = [file, target].map((path) => path.split("/"));
    const isForeign = from?.[0] === "services" && to?.[0] === "services" && from.length > 2 && from[1] !== to[1];
    // A file beside the service folders belongs to no service.
    return isForeign && to.length > 2 && to[2] !== "datasets" && to[2] !== "products";
  });
  expect(offending).toEqual([]);
});

test("within a service, only the store builds SQL", () => {
  const offending = files
    .map((file) => relative(src, file))
    .filter((file) => roomOf(file) === "services" && !knowsDatabase(file))
    .filter((file) => /from "kysely"/.test(readFileSync(join(src, file), "utf8")));
  expect(offending).toEqual([]);
});

test("no folder of a service holds more than 20 files besides tests", () => {
  const counts = new Map<string, number>();
  for (const file of files.filter((path) => relative(src, path).startsWith("services/"))) {
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  const full = [...counts].filter(([, count]) => count > 20).map(([folder]) => relative(src, folder));
  expect(full).toEqual([]);
});

test("every operation has its test beside it", () => {
  const operations = files.map((file) => relative(src, file)).filter((file) => /\/operations\/[^/]+\.ts$/.test(file));
  const missing = operations
    .map((file) => file.replace(/\.ts$/, ".test.ts"))
    .filter((testFile) => !existsSync(join(src, testFile)))
    .map((testFile) => `an operation has no test: add src/${testFile}`);
  expect(operations.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

test("every source and product is imported by a test of a service", () => {
  const declares = /export const \w+ = (?:source|product)\(/;
  const declared = files.filter(
    (file) => /\/services\/[^/]+\/(?:sources|products)\//.test(file) && declares.test(readFileSync(file, "utf8")),
  );
  const tested = new Set(
    sourceFiles(join(src, "services"))
      .filter((file) => file.endsWith(".test.ts"))
      .flatMap((file) =>
        Array.from(readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)\.js"/g), ([, specifier = ""]) =>
          resolve(dirname(file), `${specifier}.ts`),
        ),
      ),
  );
  const missing = declared
    .filter((file) => !tested.has(file))
    .map((file) => relative(src, file))
    .map((file) => `src/${file} has no test: add src/${file.replace(/\.ts$/, ".test.ts")}`);
  expect(declared.length).toBeGreaterThan(40);
  expect(missing).toEqual([]);
});

test("only kit/clock and the platform of the SDK read the time", () => {
  const offending = files.filter((file) => {
    if (["kit/clock.ts", "sdk/platform.ts"].includes(relative(src, file))) return false;
    return /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/.test(readFileSync(file, "utf8"));
  });
  expect(offending.map((file) => relative(src, file))).toEqual([]);
});

test("except for secrets, only kit/random and the platform of the SDK use unseeded randomness", () => {
  const offending = files.filter((file) => {
    if (["kit/random.ts", "sdk/platform.ts"].includes(relative(src, file))) return false;
    return readFileSync(file, "utf8").includes("Math.random");
  });
  expect(offending.map((file) => relative(src, file))).toEqual([]);
});

test("the console imports nothing from src/ except the client that other programs use", () => {
  const web = resolve(import.meta.dirname, "../web");
  const names = readdirSync(web, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  expect(names.length).toBeGreaterThan(10);
  const offending = names.flatMap((name) =>
    [...readFileSync(join(web, name), "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)]
      .map(([, specifier = ""]) => relative(resolve(src, ".."), resolve(web, dirname(name), specifier)))
      .filter((target) => !/^(?:web|src\/sdk)\//.test(target))
      .map((target) => `${name} imports ${target}`),
  );
  expect(offending).toEqual([]);
});

test("imports form no cycle, not even imports of types", () => {
  const targetsOf = new Map<string, string[]>();
  for (const { file, target } of imports) {
    const path = target.replace(/\.js$/, ".ts");
    targetsOf.set(file, [...(targetsOf.get(file) ?? []), path]);
  }
  expect(circlesIn(targetsOf)).toEqual([]);
});

/** Finds the cycles of a graph by a depth-first search. Each cycle is the list of its files in order. */
function circlesIn(targetsOf: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const circles: string[] = [];
  const path: string[] = [];
  const finished = new Set<string>();
  function visit(file: string): void {
    if (finished.has(file)) return;
    const start = path.indexOf(file);
    if (start >= 0) {
      circles.push([...path.slice(start), file].join(" → "));
      return;
    }
    path.push(file);
    for (const target of targetsOf.get(file) ?? []) visit(target);
    path.pop();
    finished.add(file);
  }
  for (const file of targetsOf.keys()) visit(file);
  return circles;
}
