import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "..");

/** The folder of the test: a copy of `original`, which is built. */
let folder: string;
let original: string;
let first: Outcome;
beforeAll(() => {
  original = mkdtempSync(join(tmpdir(), "vigil-build-"));
  folder = original;
  put("package.json", '{"type":"module"}');
  for (const script of ["build.mjs", "bundled-packages.mjs", "console.mjs"]) {
    cpSync(join(repository, "scripts", script), join(folder, "scripts", script));
  }
  put("web/index.html", '<!doctype html><title>Vigil</title><script type="module" src="/main.tsx"></script>\n');
  put("web/main.tsx", 'document.title = "first" satisfies string;\n');
  put("web/pages.json", "[]");
  put(
    "src/commands/main.ts",
    'import { name } from "../kit/name.js";\nconst line: string = name;\nconsole.log(line);\n',
  );
  put("src/kit/name.ts", 'export const name = "vigil" as const;\n');
  put("src/kit/name.test.ts", "throw new Error();\n");
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  first = build();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vigil-build-"));
  cpSync(original, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => rmSync(original, { recursive: true, force: true }));

function put(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Adds a table to the sources, and code that reads it. */
function putTable(rows: string): void {
  cpSync(join(repository, "src/kit/csv-table.ts"), join(folder, "src/kit/csv-table.ts"));
  cpSync(join(repository, "src/kit/word-lists.ts"), join(folder, "src/kit/word-lists.ts"));
  put("src/data/places.csv", `name,latitude\n${rows}\n`);
  put(
    "src/kit/name.ts",
    `import { latitudeCell, readCsv, textCell } from "./csv-table.js";
const columns = { name: textCell, latitude: latitudeCell };
export const name = readCsv(new URL("../data/places.csv", import.meta.url), columns)[0]?.name;
`,
  );
}

const built = (name: string): string => join(folder, "dist", name);

interface Outcome {
  readonly code: number | null;
  readonly errors: string;
  readonly printed: string;
}

/** Runs the build and then the built program. */
function build(): Outcome {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, "scripts/build.mjs")], { encoding: "utf8" });
  const main = built("bin/vigil.js");
  const run = existsSync(main) ? spawnSync(process.execPath, [main], { encoding: "utf8" }) : null;
  return { code: status, errors: stderr, printed: run?.stdout ?? "" };
}

const withoutCompiler = (): void => rmSync(join(folder, "node_modules"), { force: true });

describe("the build", () => {
  test("compiles the sources, but not their tests, into a program that runs", () => {
    expect(first).toEqual({ code: 0, errors: "", printed: "vigil\n" });
    expect(existsSync(built("kit/name.test.js"))).toBe(false);
    expect(readFileSync(built("reference/scalar.js")).length).toBeGreaterThan(1_000_000);
    expect(readFileSync(built("licences.txt"), "utf8")).toMatch(
      /typebox[\s\S]*kysely[\s\S]*topojson-client[\s\S]*@scalar/,
    );
  });

  test("rebuilds only changed files and removes files whose source is gone", () => {
    put("src/kit/gone.ts", "export const gone = 1;\n");
    build();
    const times = (): number[] => ["commands/main.js", "kit/name.js"].map((name) => statSync(built(name)).mtimeMs);
    const [main, name] = times();
    build();
    expect(times()).toEqual([main, name]);
    put("src/kit/name.ts", 'export const name = "later" as const;\n');
    rmSync(join(folder, "src/kit/gone.ts"));
    expect(build()).toEqual({ code: 0, errors: "", printed: "later\n" });
    expect(times()[0]).toBe(main);
    expect(existsSync(built("kit/gone.js"))).toBe(false);
  });

  test("bundles the service modules, which the program finds by their file names", () => {
    for (const file of ["module-folder", "own-file", "service-modules"])
      cpSync(join(repository, `src/kit/${file}.ts`), join(folder, `src/kit/${file}.ts`));
    put("src/services/ships/service.ts", 'export const group = "ships";\n');
    put("src/services/ships/operations/list-ships.ts", 'export const list = "list-ships";\n');
    put("src/services/ships/simulated/port.ts", 'export const upstream = "port";\n');
    put(
      "src/commands/main.ts",
      `import { serviceModules } from "../kit/service-modules.js";
for (const path of await serviceModules.paths())
  console.log(path, ...Object.values(await serviceModules.load(path)));
`,
    );
    const inBundle = [
      "ships/operations/list-ships.js list-ships",
      "ships/service.js ships",
      "ships/simulated/port.js port",
    ];
    expect(build()).toEqual({ code: 0, errors: "", printed: `${inBundle.join("\n")}\n` });
    rmSync(built("services"), { recursive: true });
    expect(spawnSync(process.execPath, [built("bin/vigil.js")], { encoding: "utf8" }).stdout).toBe(
      `${inBundle.join("\n")}\n`,
    );
  });

  test("names the command to run and exits 1 when there is neither a compiler nor an earlier build", () => {
    withoutCompiler();
    rmSync(join(folder, "dist"), { recursive: true });
    expect(build()).toEqual({
      code: 1,
      errors: expect.stringMatching(
        /^vigil: this copy is not built yet, and the compiler is not installed\. Run npm ci[^\n]*\n$/,
      ),
      printed: "",
    });
  });

  test("keeps the last build when the compiler is gone, and warns if the sources are newer", () => {
    withoutCompiler();
    expect(build()).toEqual({ code: 0, errors: "", printed: "vigil\n" });
    put("src/kit/name.ts", 'export const name = "later" as const;\n');
    const { code, errors, printed } = build();
    expect([code, printed]).toEqual([0, "vigil\n"]);
    expect(errors).toMatch(/^vigil: src\/ is newer than dist\/[^\n]*\n$/);
  });

  test("rebuilds the console when it has changed, but not when only its tests have", () => {
    const script = (): string => {
      const [, path = ""] = /src="\/(assets\/[^"]+)"/.exec(readFileSync(built("web/index.html"), "utf8")) ?? [];
      return readFileSync(built(`web/${path}`), "utf8");
    };
    expect(script()).toContain("first");
    const before = statSync(built("web/index.html")).mtimeMs;
    put("web/main.test.ts", "throw new Error();\n");
    build();
    expect(statSync(built("web/index.html")).mtimeMs).toBe(before);
    put("web/main.tsx", 'document.title = "second";\n');
    build();
    expect(script()).toContain("second");
  });

  test("packs a table that the built code reads, and repacks it when only that table has changed", () => {
    putTable("Oslo,59.9");
    expect(build()).toEqual({ code: 0, errors: "", printed: "Oslo\n" });
    put("src/data/places.csv", "name,latitude\nQuito,-0.2\n");
    expect(build()).toEqual({ code: 0, errors: "", printed: "Quito\n" });
  });

  test("names the file, the line and the column of a wrong cell", () => {
    putTable("Oslo,north");
    const { code, errors } = build();
    expect(code).toBe(1);
    expect(errors).toContain('places.csv, line 2: latitude must be a number from -90 to 90, got "north"');
  });

  test("names the line of a word list with an empty word", () => {
    putTable("Oslo,59.9");
    put("src/data/words.txt", "rain: drizzle,,shower\n");
    put("src/kit/words.ts", 'export const words = new URL("../data/words.txt", import.meta.url);\n');
    expect(build().errors).toContain("words.txt, line 1: rain has an empty word");
  });

  test("names a table that nothing reads", () => {
    putTable("Oslo,59.9");
    put("src/data/rivers.csv", "name\nNile\n");
    expect(build().errors).toContain("no file in src/ reads src/data/rivers.csv");
  });

  test("names the file with a syntax error", () => {
    put("src/kit/name.ts", "export const = 1;\n");
    const { code, errors } = build();
    expect(code).toBe(1);
    expect(errors).toContain("src/kit/name.ts");
  });
});
