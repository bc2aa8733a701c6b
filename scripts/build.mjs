// Builds dist/ from src/ and web/: strips the types of each changed file, copies and checks the data, bundles four
// dependencies, the programs and the console, and copies the API reference's script. `npm run lint` finds type errors.
// docs/decisions/0031 explains why tsc is not used, 0007 why four dependencies are bundled, 0053 why the programs are
// bundled.
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BUNDLED } from "./bundled-packages.mjs";
import { buildConsole, CONSOLE_PACKAGES, consoleSources } from "./console.mjs";

const root = resolve(import.meta.dirname, "..");
/** Packages that bundled code loads at run time. They are dependencies of the service itself. */
const NOT_BUNDLED = ["ioredis", "pg"];
const REFERENCE = "@scalar/fastify-api-reference";
const REFERENCE_SCRIPT = "dist/js/standalone.js";
/** The programs in dist/bin/, by name, with the module that each starts with. */
const PROGRAMS = { vigil: "commands/main.js", "builder-worker": "app/builder-worker.js" };
/** The folder of src/ that other programs import. The build also writes type declarations for it. */
const PUBLIC = "sdk/";
const OUTPUT = /\.(?:js(?:\.map)?|d\.ts)$/;
/** Packages whose code is included in dist/. */
const COPIED = [
  "typebox",
  "kysely",
  "topojson-client",
  "bullmq",
  // The packages that bullmq needs.
  "cron-parser",
  "detect-libc",
  "luxon",
  "msgpackr",
  "msgpackr-extract",
  "node-abort-controller",
  "node-gyp-build-optional-packages",
  "semver",
  "tslib",
  REFERENCE,
];

const src = join(root, "src");
const dist = join(root, "dist");
const recordFile = join(dist, ".build.json");

const hashOf = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
const packageFile = (name, file) => join(root, "node_modules", name, file);
const versionOf = (name) => {
  const file = packageFile(name, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
};

/** Returns the text of each source by its path in src/. Tests are left out, because they are not built. */
function sources() {
  const names = readdirSync(src, { recursive: true }).map((name) => name.replaceAll("\\", "/"));
  const isBuilt = (name) => name.endsWith(".ts") && !/\.(?:test|d)\.ts$|(?:^|\/)testing\//.test(name);
  return new Map(names.filter(isBuilt).map((name) => [name, readFileSync(join(src, name), "utf8")]));
}

/** Returns the sources of the client, which other programs import. The console includes the client too. */
function publicSources(files) {
  return [...files].filter(([name]) => name.startsWith(PUBLIC));
}

/** Returns the text of each table and word list by its path in src/. */
function dataFiles() {
  const folder = join(src, "data");
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
  const files = names.map((name) => `data/${name.replaceAll("\\", "/")}`).filter((name) => /\.(?:csv|txt)$/.test(name));
  return new Map(files.map((name) => [name, readFileSync(join(src, name), "utf8")]));
}

/**
 * Returns the record of the last build: the tools that it used, and the hash of every source and data file. Without a
 * readable record, returns an empty one, so that everything is built.
 */
function lastBuild() {
  try {
    return JSON.parse(readFileSync(recordFile, "utf8"));
  } catch {
    return { tools: "", sources: {}, data: {} };
  }
}

/** Loads the tools that a build needs; Vite only if the console is built too. Returns undefined if one is absent. */
async function tools(isNewConsole) {
  try {
    const [{ rolldown }, { transformSync }, { parseAst }, { isolatedDeclarationSync }, vite] = await Promise.all([
      import("rolldown"),
      import("rolldown/utils"),
      import("rolldown/parseAst"),
      import("rolldown/experimental"),
      isNewConsole ? import("vite") : undefined,
    ]);
    return { rolldown, transformSync, parseAst, isolatedDeclarationSync, vite };
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND" && !/native binding/.test(error.message)) throw error;
    return undefined;
  }
}

/** Returns the code with its imports of bundled dependencies pointed at their bundles. */
function withBundles(code, path, parseAst) {
  if (!Object.keys(BUNDLED).some((specifier) => code.includes(`"${specifier}"`))) return code;
  let out = "";
  let copied = 0;
  for (const { value, start, end } of importSources(parseAst(code))) {
    if (!Object.hasOwn(BUNDLED, value)) continue;
    const target = relative(dirname(path), join(dist, "vendor", `${BUNDLED[value]}.js`)).replaceAll("\\", "/");
    out += `${code.slice(copied, start)}"${target.startsWith(".") ? target : `./${target}`}"`;
    copied = end;
  }
  return out + code.slice(copied);
}

/** Returns the syntax nodes of the module specifiers in all imports, static and dynamic, in source order. */
function importSources(program) {
  const importNodes = [];
  const pending = [program];
  while (pending.length > 0) {
    const node = pending.pop();
    if (node.source?.type === "Literal") importNodes.push(node.source);
    for (const member of Object.values(node).flat()) if (typeof member?.type === "string") pending.push(member);
  }
  return importNodes.sort((a, b) => a.start - b.start);
}

function emit(name, text, { transformSync, parseAst, isolatedDeclarationSync }) {
  const path = join(dist, name.replace(/\.ts$/, ".js"));
  const { code, map, errors } = transformSync(join(src, name), text, {
    lang: "ts",
    target: "es2023",
    sourcemap: true,
    tsconfig: false,
    typescript: { onlyRemoveTypeImports: true },
  });
  throwIfAny(name, errors);
  const file = path.slice(path.lastIndexOf("/") + 1);
  mkdirSync(dirname(path), { recursive: true });
  if (name.startsWith(PUBLIC)) {
    const declarations = isolatedDeclarationSync(name, text, { sourcemap: false });
    throwIfAny(name, declarations.errors);
    writeFileSync(path.replace(/\.js$/, ".d.ts"), declarations.code);
    // The npm package contains neither sources nor source maps, so the compiled file refers to no source map.
    writeFileSync(path, code);
    return;
  }
  writeFileSync(path, `${withBundles(code, path, parseAst)}\n//# sourceMappingURL=${file}.map\n`);
  const from = relative(dirname(path), join(src, name)).replaceAll("\\", "/");
  writeFileSync(`${path}.map`, JSON.stringify({ ...map, file, sources: [from], sourcesContent: undefined }));
}

function throwIfAny(name, errors) {
  if (errors.length > 0) throw new Error(`src/${name}: ${errors.map(({ message }) => message).join("; ")}`);
}

/** Removes the outputs of removed sources. Otherwise the service would still find these files and load them. */
function removeOrphans(names) {
  const sourceNames = new Set([...names].map((name) => name.slice(0, -".ts".length)));
  for (const entry of readdirSync(dist, { recursive: true })) {
    const name = entry.replaceAll("\\", "/");
    if (/^(?:bin|vendor|reference|web)\//.test(name) || !OUTPUT.test(name)) continue;
    if (!sourceNames.has(name.replace(OUTPUT, ""))) rmSync(join(dist, name), { force: true });
  }
}

/** Replaces the data in dist/ with the current data. */
function copyData(data) {
  rmSync(join(dist, "data"), { recursive: true, force: true });
  for (const [name, text] of data) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    writeFileSync(join(dist, name), text);
  }
}

/**
 * Reads the data as the service does. Throws if a file is invalid; the error names the file and the line. Also throws
 * if there is a file that no source reads.
 */
async function checkData(sourceFiles, data) {
  const built = (name) => import(pathToFileURL(join(dist, name.replace(/\.ts$/, ".js"))).href);
  for (const name of data.keys()) {
    const folder = name.slice(0, name.lastIndexOf("/") + 1);
    const isRead = (text) => text.includes(name) || (folder !== "data/" && text.includes(folder));
    const readers = [...sourceFiles].filter(([, text]) => isRead(text)).map(([reader]) => reader);
    if (readers.length === 0) throw new Error(`no file in src/ reads src/${name}`);
    for (const reader of readers) await built(reader);
  }
  const lists = [...data.keys()].filter((name) => name.endsWith(".txt"));
  if (lists.length === 0) return;
  const { readWordLists } = await built("kit/word-lists.ts");
  for (const name of lists) readWordLists(pathToFileURL(join(dist, name)));
}

async function bundle(rolldown) {
  const folder = join(dist, "vendor");
  rmSync(folder, { recursive: true, force: true });
  const input = Object.fromEntries(Object.entries(BUNDLED).map(([specifier, file]) => [file, specifier]));
  // If a package has both ES modules and CommonJS modules, the ES modules are bundled.
  const resolve = { mainFields: ["module", "main"] };
  const build = await rolldown({
    input,
    cwd: root,
    platform: "node",
    external: NOT_BUNDLED,
    resolve,
    logLevel: "warn",
  });
  await build.write({ dir: folder, format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" });
  await build.close();
}

/**
 * Bundles the programs, because loading one file takes a fraction of the time that hundreds of modules take. Of the
 * packages, only those in `dist/vendor/` are included. Modules that are imported on demand stay in files of their own.
 */
async function bundlePrograms(rolldown) {
  const folder = join(dist, "bin");
  rmSync(folder, { recursive: true, force: true });
  const programs = Object.entries(PROGRAMS).map(([name, file]) => [name, join(dist, file)]);
  const starts = programs.map(([, file]) => file);
  const build = await rolldown({
    input: Object.fromEntries(programs.filter(([, file]) => existsSync(file))),
    cwd: root,
    platform: "node",
    // Matches the ids of packages. Ids of files begin with . or /, ids of the lists below with \0.
    external: /^[^./\0]/,
    plugins: [listedServices],
    // Switches off two warnings: about a module that is imported both on demand and at the start, because that is
    // allowed, and about slow plug-ins, because build timings are not needed.
    checks: { ineffectiveDynamicImport: false, pluginTimings: false },
    logLevel: "warn",
  });
  await build.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // Comments are a third of the text that Node.js would read at each start; dist/ outside bin/ keeps them.
    comments: false,
    codeSplitting: {
      groups: [
        { name: "core", tags: ["$initial"], test: (id) => !starts.includes(id), priority: 3 },
        { name: "simulator", test: /[/\0]simulat(?:or|ed)/, priority: 2 },
        { name: "services", test: /[/\0](?:services\/|declarations)/, priority: 1 },
      ],
    },
  });
  await build.close();
  chmodSync(join(folder, "vigil.js"), 0o755);
}

/** The service modules that the command line loads at its start: the groups (`service.js`) and the declared streams. */
const AT_START = /\/(?:service|operations\/stream-[^/]+)\.js$/;
/**
 * Two lists of all other service modules. Each function says whether a path belongs to its list. When one module of a
 * list is needed, the whole list is loaded.
 */
const LISTS = {
  "\0simulated-upstreams": (path) => path.includes("/simulated/"),
  "\0declarations": (path) => !AT_START.test(path) && !path.includes("/simulated/"),
};

/** Replaces the search for service files with lists of imports. */
const listedServices = {
  name: "listed-services",
  resolveId: { filter: { id: /^\0/ }, handler: (id) => (Object.hasOwn(LISTS, id) ? id : null) },
  load: {
    filter: { id: /^\0|\/kit\/service-modules\.js$/ },
    async handler(id) {
      const search = join(dist, "kit/service-modules.js");
      if (id !== search && !Object.hasOwn(LISTS, id)) return null;
      const { serviceModules } = await import(pathToFileURL(search).href);
      const paths = await serviceModules.paths();
      return id === search ? searchResult(paths) : listing(paths.filter(LISTS[id]));
    },
  },
};

/**
 * Returns the code that replaces the search. The code immediately loads the modules that the start needs, and all
 * others on demand.
 */
function searchResult(paths) {
  return `${listing(paths.filter((path) => AT_START.test(path)))}
const simulated = () => import("\\0simulated-upstreams");
const declarations = () => import("\\0declarations");
export const serviceModules = {
  paths: async () => ${JSON.stringify(paths)},
  load: async (path) =>
    modules[path] ?? (await (path.includes("/simulated/") ? simulated() : declarations())).modules[path],
};
`;
}

/** Returns code that exports `modules`, an object that maps each of these paths to its service module. */
function listing(paths) {
  const imports = paths.map((path, at) => `import * as m${at} from ${JSON.stringify(join(dist, "services", path))};`);
  const members = paths.map((path, at) => `${JSON.stringify(path)}: m${at},`);
  return `${imports.join("\n")}\nexport const modules = { ${members.join("\n")} };\n`;
}

function copyReference() {
  const folder = join(dist, "reference");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const script = packageFile(REFERENCE, REFERENCE_SCRIPT);
  if (existsSync(script)) writeFileSync(join(folder, "scalar.js"), readFileSync(script));
  else process.stderr.write(`build: ${REFERENCE} is not installed; /docs has no reference until you run npm ci\n`);
}

/** Copies the licences of the bundled code into dist/, as these licences require. */
function copyLicences() {
  const texts = COPIED.flatMap((name) =>
    ["LICENSE", "license", "LICENSE.md", "LICENSE.txt"]
      .map((file) => packageFile(name, file))
      .filter(existsSync)
      .slice(0, 1)
      .map((file) => `${name} ${versionOf(name)}\n\n${readFileSync(file, "utf8").trim()}\n`),
  );
  writeFileSync(join(dist, "licences.txt"), texts.join("\n\n"));
}

async function build() {
  const sourceFiles = sources();
  const data = dataFiles();
  const hashesOf = (files) => Object.fromEntries([...files].map(([name, text]) => [name, hashOf(text)]));
  const hashes = hashesOf(sourceFiles);
  const dataHashes = hashesOf(data);
  const scripts = ["build.mjs", "bundled-packages.mjs", "console.mjs"];
  const self = hashOf(scripts.map((script) => readFileSync(join(import.meta.dirname, script), "utf8")).join("\n"));
  const last = lastBuild();
  // For a tool that is not installed, the version recorded by the last build is assumed, so that its absence causes no
  // build.
  const usedBy = (name) => last.tools.split(", ").find((tool) => tool.startsWith(`${name} `));
  const versions = ["rolldown", ...CONSOLE_PACKAGES, ...COPIED].map((name) => {
    const version = versionOf(name);
    return version === undefined ? (usedBy(name) ?? `${name} absent`) : `${name} ${version}`;
  });
  const toolsNow = [...versions, `build ${self}`].join(", ");
  const isNewTool = last.tools !== toolsNow;
  const changed = [...sourceFiles.keys()].filter(
    (name) => isNewTool || last.sources[name] !== hashes[name] || !existsSync(join(dist, name.replace(/\.ts$/, ".js"))),
  );
  const isGone = Object.keys(last.sources).some((name) => !sourceFiles.has(name));
  const isNewData = JSON.stringify(last.data) !== JSON.stringify(dataHashes);
  const isBundled = existsSync(join(dist, "bin/vigil.js"));
  const consoleHash = hashOf(JSON.stringify([...consoleSources(root)].concat(publicSources(sourceFiles))));
  const isNewConsole = isNewTool || last.console !== consoleHash || !existsSync(join(dist, "web/index.html"));
  if (changed.length === 0 && !isGone && !isNewData && !isNewConsole && isBundled) return;

  const loaded = await tools(isNewConsole);
  if (!loaded) {
    process.stderr.write(
      isBundled
        ? "vigil: src/ is newer than dist/, and the compiler is not installed, so the previous build is started. Run npm ci to build.\n"
        : "vigil: this copy is not built yet, and the compiler is not installed. Run npm ci, or npm ci --omit=dev (not --omit=optional), and try again.\n",
    );
    process.exitCode = isBundled ? 0 : 1;
    return;
  }
  mkdirSync(dist, { recursive: true });
  // If this build is interrupted, the next one finds no record and builds everything again.
  rmSync(recordFile, { force: true });
  if (isNewTool) {
    await bundle(loaded.rolldown);
    copyReference();
    copyLicences();
  }
  for (const name of changed) emit(name, sourceFiles.get(name), loaded);
  removeOrphans(sourceFiles.keys());
  if (isNewTool || isNewData) {
    copyData(data);
    await checkData(sourceFiles, data);
  }
  await bundlePrograms(loaded.rolldown);
  if (isNewConsole) await buildConsole(loaded.vite, root);
  const record = { tools: toolsNow, sources: hashes, data: dataHashes, console: consoleHash };
  writeFileSync(recordFile, JSON.stringify(record));
}

await build();
