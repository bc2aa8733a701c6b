import { existsSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { build, builtModules } from "./test/support/built-modules.js";

const MEMORY_FOLDER = "/dev/shm";
const MEMORY_BYTES_MIN = 2_000_000_000;

/** True if the tests can keep their stores in memory, where a commit does not wait for the disk. */
function hasMemoryFolder(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize >= MEMORY_BYTES_MIN;
}

build();

if (hasMemoryFolder()) process.env["TMPDIR"] ??= MEMORY_FOLDER;

/**
 * Test files that change the state of their process: they replace modules, listen to events of the process or set flags
 * of V8. Each of these files runs in a separate process, so that other files do not see the changes. These files import
 * the sources, because built modules cannot be replaced.
 */
const ownProcess = [
  "src/database/postgres-lost.test.ts",
  "src/services/conflict/rules/event-index.test.ts",
  "test/batch.test.ts",
  "test/poisoned-rows.test.ts",
];

export default defineConfig({
  test: {
    globalSetup: ["test/support/run-folder.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // On a busy machine, a polled condition may take a long time. The limit is below `testTimeout`, so that a test
    // whose condition is never met reports the condition.
    expect: { poll: { timeout: 20_000 } },
    // Three processes for every two cores, because many tests wait for other processes or for timers.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    projects: [
      { extends: true, test: { name: "own process", include: ownProcess } },
      {
        extends: true,
        plugins: [builtModules()],
        test: {
          name: "shared processes",
          include: ["{src,web,test}/**/*.test.ts"],
          exclude: ["test/acceptance/**", ...ownProcess],
          isolate: false,
        },
      },
    ],
  },
});
