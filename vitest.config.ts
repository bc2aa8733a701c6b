import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["test/acceptance/**", "node_modules/**"],
    globalSetup: ["test/support/run-folder.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // All cores; the runner would keep one for itself, which is half of a machine with two.
    maxWorkers: "100%",
  },
});
