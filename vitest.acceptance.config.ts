import { defineConfig } from "vitest/config";
import { build, builtModules } from "./test/support/built-modules.js";

build();

/** The long suites: crashes, recorded upstreams, exhaustive checks. Run them before declaring a change complete. */
export default defineConfig({
  plugins: [builtModules()],
  test: {
    include: [
      "test/acceptance/**/*.test.ts",
      // Random cases, of which `npm test` runs a tenth.
      "src/access/tokens/{openid-verifier,token-issuer}.test.ts",
      "src/contract/compatibility/breaking-changes.test.ts",
      "src/kit/merkle-tree.test.ts",
      "src/services/company-monitoring/{admission/plan,portfolio/import-companies,scan/advanced,writes/schedules}.test.ts",
      "src/services/company-monitoring/store/{portfolio-store,scan/scan-round}.test.ts",
      "src/services/news/rules/titles/threat-class.test.ts",
      "src/services/watches/rules/{dry-run-cuts,watch-schedules}.test.ts",
      // Hostile texts, each tested in every place; `npm test` tests each of them in a third of the places.
      "src/services/aviation/sources/hostile-notices.test.ts",
      "src/{feeds,upstream}/long-hostile-text.test.ts",
    ],
    env: { VIGIL_TEST_EFFORT: "whole" },
    globalSetup: ["test/support/run-folder.ts"],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
