const projectionTests = {
  tests: ["src/jmespath/**/*.test.ts", "src/http/answer-cache.test.ts", "src/kit/loop-turns.test.ts"],
  // Left out, because tests on generated input take long.
  except: ["src/jmespath/differential.test.ts", "src/jmespath/hostile.test.ts"],
};

/** The scopes of the mutation tests: the files to mutate, and the tests that must detect the mutations. */
const scopes = {
  access: {
    mutate: ["src/access/**/*.ts", "src/contract/access/**/*.ts"],
    tests: ["src/access/**/*.test.ts", "src/contract/access/**/*.test.ts"],
  },
  cursors: {
    mutate: [
      "src/http/paging.ts",
      "src/kit/signed-token.ts",
      "src/kit/signing-ring.ts",
      "src/services/company-monitoring/changes/cursor*.ts",
      "src/services/company-monitoring/store/cursor*.ts",
      "src/services/datasets/cursors.ts",
      "src/services/watches/rules/cursors.ts",
      "src/services/webhooks/rules/delivery-cursor.ts",
    ],
    tests: [
      "src/http/paging.test.ts",
      "src/kit/signed-token.test.ts",
      "src/kit/signing-ring.test.ts",
      "src/services/company-monitoring/changes/cursor*.test.ts",
      "src/services/company-monitoring/store/cursor*.test.ts",
      "src/services/datasets/cursors.test.ts",
      "src/services/watches/rules/cursors.test.ts",
      "src/services/webhooks/rules/delivery-cursor.test.ts",
    ],
  },
  errors: {
    mutate: [
      "src/contract/failures.ts",
      "src/contract/expected-failures.ts",
      "src/contract/violations.ts",
      "src/http/failure-answer.ts",
      "src/http/weights.ts",
    ],
    tests: [
      "src/contract/failures.test.ts",
      "src/contract/expected-failures.test.ts",
      "src/contract/violations.test.ts",
      "src/http/failure-answer.test.ts",
      "src/http/weights.test.ts",
    ],
    // Mutations of the table of failures are static, because the table is built while its module loads.
    hasStatic: true,
  },
  idempotency: {
    mutate: ["src/database/idempotency.ts"],
    tests: ["src/database/idempotency.test.ts"],
  },
  limits: {
    mutate: [
      "src/jmespath/fuel.ts",
      "src/jmespath/errors.ts",
      "src/jmespath/compiled-expressions.ts",
      "src/jmespath/json-sink.ts",
      "src/jmespath/project.ts",
      "src/http/answer-cache.ts",
      "src/kit/loop-turns.ts",
    ],
    ...projectionTests,
  },
  projections: {
    mutate: ["src/jmespath/**/*.ts", "!src/jmespath/testing/**", "src/http/answer-cache.ts", "src/kit/loop-turns.ts"],
    ...projectionTests,
  },
};

/** Returns the scope that the variable `MUTATION_SCOPE` names. Default: `projections`. */
export function mutationScope() {
  const name = process.env.MUTATION_SCOPE ?? "projections";
  if (!Object.hasOwn(scopes, name)) {
    throw new Error(`MUTATION_SCOPE must be one of ${Object.keys(scopes).join(", ")}, got "${name}"`);
  }
  const { mutate, tests, except = [], hasStatic = false } = scopes[name];
  return { name, mutate: [...mutate, "!**/*.test.ts"], tests, except, hasStatic };
}
