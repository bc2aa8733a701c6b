import { existsSync, statfsSync } from "node:fs";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const MEMORY_FOLDER = "/dev/shm";
const MEMORY_BYTES_MIN = 2_000_000_000;

/** True if the tests can keep their stores in memory, where a commit does not wait for the disk. */
function hasMemoryFolder(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize >= MEMORY_BYTES_MIN;
}

if (hasMemoryFolder()) process.env["TMPDIR"] ??= MEMORY_FOLDER;

/**
 * Test files that change state which their process shares with other files: they replace modules, listen to the process
 * or set flags of V8. Each runs in a separate process.
 */
const ownProcess = [
  "src/database/postgres-lost.test.ts",
  "src/services/conflict/rules/event-index.test.ts",
  "test/batch.test.ts",
  "test/poisoned-rows.test.ts",
];

/**
 * Files that share processes, one process per core. Each project starts with new processes, which bounds their memory
 * and therefore the time for garbage collection.
 */
function sharedProcess(name: string, include: string, exclude: readonly string[] = []): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: { name, include: [include], exclude: ["node_modules/**", ...exclude, ...ownProcess], isolate: false },
  };
}

export default defineConfig({
  test: {
    globalSetup: ["test/support/run-folder.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A polled condition may take a long time on a busy machine; its test still ends in time.
    expect: { poll: { timeout: 20_000 } },
    // All cores; by default the runner leaves one free, which is half of a two-core machine.
    maxWorkers: "100%",
    projects: [
      { extends: true, test: { name: "own process", include: ownProcess } },
      sharedProcess("services", "src/services/**/*.test.ts"),
      sharedProcess("frame", "src/**/*.test.ts", ["src/services/**"]),
      sharedProcess("console", "web/**/*.test.ts"),
      sharedProcess("whole, a to l", "test/[a-l]*.test.ts"),
      sharedProcess("whole, m to z", "test/[m-z]*.test.ts"),
      sharedProcess("whole, in folders", "test/*/**/*.test.ts", ["test/acceptance/**"]),
    ],
  },
});
