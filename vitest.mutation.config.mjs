import { defineConfig } from "vitest/config";
import { mutationScope } from "./scripts/mutation-scopes.mjs";

const { tests, except } = mutationScope();

/** Runs the tests that must detect the mutants of a scope, without the long generated runs. */
export default defineConfig({
  test: {
    include: tests,
    exclude: [...except, "node_modules/**"],
    globalSetup: ["test/support/run-folder.ts"],
    // No server answers here: the PostgreSQL half of a suite repeats the SQLite half at many times the cost.
    env: { DATABASE_URL: "postgres://127.0.0.1:1/none" },
    testTimeout: 120_000,
  },
});
