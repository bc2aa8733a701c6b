import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { dropDatabases } from "./postgres-databases.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** A folder that all test files of one run share. It is removed at the end of the run. */
    readonly runFolder: string;
  }
}

/**
 * Creates the folder that all projects of a test run share. Returns the function that drops the databases of the run
 * and removes the folder.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // Process ids are reused, so the start time of the process is part of the name.
  const folder = join(tmpdir(), `vigil-run-${process.pid}-${Math.round(performance.timeOrigin)}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  provide("runFolder", folder);
  return async () => {
    await dropDatabases(folder);
    await rm(folder, { recursive: true, force: true });
  };
}
