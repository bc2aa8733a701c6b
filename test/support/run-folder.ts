import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { dropDatabases } from "./postgres-databases.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** A folder shared by all test files of one run and removed at its end. */
    readonly runFolder: string;
  }
}

/** Creates the folder of a test run. Returns the function that removes it. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "vigil-run-"));
  provide("runFolder", folder);
  return async () => {
    await dropDatabases(folder);
    await rm(folder, { recursive: true, force: true });
  };
}
