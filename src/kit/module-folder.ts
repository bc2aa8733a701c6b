import { readdir } from "node:fs/promises";

/** Modules that are found by the names of their files. */
export interface ModuleFolder {
  /** The paths of the modules in the folder, except tests, in alphabetical order. */
  paths(): Promise<readonly string[]>;
  /** The exports of the module at one of the `paths()`. */
  load(path: string): Promise<Readonly<Record<string, unknown>>>;
}

/**
 * Finds the modules in a folder on disk by matching their paths. The modules are compiled files in `dist`, or source
 * files in the few tests that run the sources.
 */
export function moduleFolder(folder: URL, matching: RegExp): ModuleFolder {
  return {
    async paths() {
      const entries = await readdir(folder, { recursive: true });
      const paths = entries.map((path) => path.replaceAll("\\", "/"));
      return paths.filter((path) => isModule(path) && matching.test(path)).sort();
    },
    load: (path) => import(new URL(path, folder).href),
  };
}

function isModule(path: string): boolean {
  return /\.[jt]s$/.test(path) && !/\.(?:d|test)\.[jt]s$/.test(path);
}
