import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { whyNoPrivateRedis } from "../support/private-redis.js";
import { availableStores } from "../support/stores.js";

const root = resolve(import.meta.dirname, "../..");
const [, postgres] = await availableStores();
const why = postgres?.skipReason ?? whyNoPrivateRedis();
const SUITE_MS_MAX = 3_600_000;

interface Suite {
  readonly name: string;
  readonly config: string;
  readonly files: readonly string[];
  /** Settings that shorten the suite. Settings in the environment of this process take precedence. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The suites that must also pass in the distributed shape. The usual shape is one process on SQLite. */
const suites: readonly Suite[] = [
  { name: "the sentences of the contract", config: "vitest.config.ts", files: ["test/contract-sentences/"] },
  { name: "the fuzzed contract", config: "vitest.config.ts", files: ["test/contract-fuzz.test.ts"] },
  {
    name: "companies",
    config: "vitest.config.ts",
    files: ["src/services/company-monitoring/", "test/company-"],
  },
  {
    name: "crashes",
    config: "vitest.acceptance.config.ts",
    files: ["company-crash", "admission-crash", "scan-crash", "idempotency"].map((file) => `test/acceptance/${file}`),
    env: {
      VIGIL_COMPANY_KILLS: "60",
      VIGIL_ADMISSION_KILLS: "20",
      VIGIL_SCAN_KILLS: "40",
      VIGIL_IDEMPOTENCY_ROUNDS: "40",
    },
  },
];

interface Outcome {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Runs existing suites in the distributed shape: two api and two ingest nodes on PostgreSQL and Redis. */
describe.skipIf(why !== undefined)(why === undefined ? "in the distributed shape" : `skipped: ${why}`, () => {
  test.each(suites)(
    "all tests of $name pass",
    async ({ name, config, files, env = {} }) => {
      const folder = await mkdtemp(join(tmpdir(), "vigil-suites-"));
      const report = join(folder, "report.json");
      try {
        const args = ["run", "--config", config, "--reporter=json", `--outputFile=${report}`, ...files];
        const child = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...args], {
          cwd: root,
          env: { ...env, ...process.env, VIGIL_TEST_SHAPE: "spread" },
          stdio: ["ignore", "ignore", "inherit"],
        });
        await once(child, "exit");
        const outcome: Outcome = JSON.parse(await readFile(report, "utf8"));
        const failed = outcome.testResults.flatMap(({ name: file, assertionResults }) =>
          assertionResults
            .filter(({ status }) => status === "failed")
            .map(({ fullName }) => `${file.slice(root.length + 1)}: ${fullName}`),
        );
        process.stdout.write(`${name}: ${outcome.numPassedTests} of ${outcome.numTotalTests} tests passed\n`);
        expect(failed).toEqual([]);
        const tested = outcome.testResults.map(({ name: file }) => file.slice(root.length + 1));
        expect(files.filter((path) => !tested.some((file) => file.startsWith(path)))).toEqual([]);
        // A test file that could not be loaded is reported without any test.
        expect(outcome.testResults.filter(({ assertionResults }) => assertionResults.length === 0)).toEqual([]);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    SUITE_MS_MAX,
  );
});
