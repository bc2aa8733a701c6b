import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Plugin } from "vitest/config";
import { BUNDLED } from "../../scripts/bundled-packages.mjs";

const ROOT = join(import.meta.dirname, "../..");
const SRC = join(ROOT, "src/");
const DIST = join(ROOT, "dist/");

/**
 * The global that is set once the process has built. Vitest evaluates its configuration once per project. Without this
 * global, each evaluation would build.
 */
const BUILT = Symbol.for("vigil.tests.built");

/** Builds dist/ if a source has changed, at most once in a process. */
export function build(): void {
  if (Reflect.get(globalThis, BUILT) === true) return;
  execFileSync(process.execPath, [join(ROOT, "scripts/build.mjs")], { stdio: "inherit" });
  Reflect.set(globalThis, BUILT, true);
}

/**
 * Makes tests import the built modules of dist/ instead of the sources, and the bundled packages instead of those in
 * node_modules/. Node.js loads these modules itself, as it does in production. Vitest would transform each source, and
 * each use of a transformed import costs time. `vi.mock` does not replace built modules.
 */
export function builtModules(): Plugin {
  let isWatching = false;
  return {
    name: "built-modules",
    enforce: "pre",
    // In watch mode, tests import the sources, which change while dist/ does not.
    configureVitest: ({ vitest }) => {
      isWatching = vitest.config.watch;
    },
    resolveId: (specifier, importer) => {
      const file = isWatching ? undefined : builtFile(specifier, importer);
      return file !== undefined && existsSync(file) ? { id: file, external: true } : null;
    },
  };
}

/** The file in dist/ of an import; undefined if the import is neither of a source nor of a bundled package. */
function builtFile(specifier: string, importer: string | undefined): string | undefined {
  if (Object.hasOwn(BUNDLED, specifier)) return join(DIST, "vendor", `${BUNDLED[specifier]}.js`);
  if (!specifier.startsWith(".") || importer === undefined) return undefined;
  const path = resolve(dirname(importer), specifier);
  return path.startsWith(SRC) && path.endsWith(".js") ? join(DIST, path.slice(SRC.length)) : undefined;
}
