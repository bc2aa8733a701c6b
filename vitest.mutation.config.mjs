import { defineConfig } from "vitest/config";
import { mutationScope } from "./scripts/mutation-scopes.mjs";

const { tests, except } = mutationScope();

/** Runs the tests that must detect the mutants of a scope, except the slow tests that run on generated input. */
export default defineConfig({
  test: {
    include: tests,
    exclude: [...except, "node_modules/**"],
    globalSetup: ["test/support/run-folder.ts"],
    // No server has this address, so suites skip their PostgreSQL half, which repeats the SQLite half at a high cost.
    env: { DATABASE_URL: "postgres://127.0.0.1:1/none" },
    testTimeout: 120_000,
  },
});
