import { mutationScope } from "./scripts/mutation-scopes.mjs";

const { mutate, hasStatic } = mutationScope();

export default {
  packageManager: "npm",
  testRunner: "vitest",
  vitest: { configFile: "vitest.mutation.config.mjs" },
  tsconfigFile: "none: the checker needs a different TypeScript version",
  mutate,
  inPlace: true,
  disableTypeChecks: false,
  coverageAnalysis: "perTest",
  concurrency: 2,
  timeoutMS: 10_000,
  ignoreStatic: !hasStatic,
  reporters: ["clear-text", "progress-append-only"],
  thresholds: { high: 90, low: 85, break: 85 },
};
