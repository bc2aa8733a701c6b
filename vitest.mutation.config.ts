import { defineConfig } from "vitest/config";

/** The tests that mutants must fail: those of the rooms that are mutated, without the long generated runs. */
export default defineConfig({
  test: {
    include: ["src/jmespath/**/*.test.ts", "src/http/answer-cache.test.ts", "src/kit/loop-turns.test.ts"],
    exclude: ["src/jmespath/differential.test.ts", "src/jmespath/hostile.test.ts", "node_modules/**"],
    testTimeout: 20_000,
  },
});
