// docs/errors.md: every failure with its status, body, cause and remedy.
import { failure, failureTable } from "../../dist/contract/failures.js";
import { block } from "./markdown.mjs";
import { remedies } from "./remedies.mjs";

/** Example values of headers that change from call to call. */
const HEADERS = {
  "RateLimit-Policy": '"account-minute";q=60;w=60',
  RateLimit: '"account-minute";r=0;t=12',
  "Retry-After": "12",
};
const RESET = Date.UTC(2026, 10, 18, 12, 1);

/** Example details of the failures whose body depends on the call. */
const details = {
  validation: { violations: [{ field: "pageSize", description: "must be 1 to 100, got 9000" }] },
  projection: { error: "invalid_expression: expected a name after the dot", originalKeys: ["months", "unavailable"] },
  tokenRequestInvalid: { violations: [{ field: "grant_type", description: "is required" }] },
  scopeMissing: { scope: "watches:write" },
  tierTooLow: { requiredTier: 1, currentTier: 0, planKey: "free" },
  subscriptionLapsed: { requiredTier: 1, currentTier: 0, planKey: "pro" },
  renewalPending: { requiredTier: 1 },
  itemNotFound: { what: "watch", code: "WATCH_NOT_FOUND" },
  methodNotAllowed: { allow: "GET, HEAD, OPTIONS" },
  conflict: { sentence: "An account with this id exists" },
  limitReached: { sentence: "The account has 100 watches, the most that its plan allows", code: "WATCH_LIMIT_REACHED" },
  historyGone: { dataset: "us-cpi", keptFrom: Date.UTC(2026, 9, 1) },
  generationGone: { dataset: "earthquakes", generation: 3 },
  accountLimit: { plan: "starter", limit: 60, limitType: "per_minute", resetAt: RESET, headers: HEADERS },
  tooManyRequests: { headers: HEADERS },
  tooManyStreams: { max: 5 },
  quotaUsedUp: { limit: 50, resetAt: RESET, headers: HEADERS },
  notReady: { reason: "The service is starting" },
  generationNotLoaded: { dataset: "earthquakes", generation: 12 },
};

export function errorsPage() {
  const names = Object.keys(failureTable).toSorted((a, b) => failureTable[a].status - failureTable[b].status);
  const unexplained = names.filter((name) => !(name in remedies));
  if (unexplained.length > 0) throw new Error(`scripts/docs/remedies.mjs lacks ${unexplained.join(", ")}`);
  return `# Errors

Every failure has a fixed status and body. The body is JSON with \`error\`, \`message\`, \`violations\` or
\`_jmespath_error\`. If the call has \`Accept: application/problem+json\`, the body is a problem document (RFC 9457). Its
\`type\` is \`urn:vigil:problem:\` followed by the name in the heading below. Every answer has an \`X-Request-Id\`, which
identifies the call in the service's log.

An upstream outage is not an error: the answer is 200 and \`X-Vigil-State\` says what is missing; see
[concepts](concepts.md#states).

Repeat a call only after 429, 503, or a 409 with \`Retry-After\`. Such a 409 means that the first call with the same
\`Idempotency-Key\` is still running. Before you repeat the call, wait the number of seconds in \`Retry-After\`. Repeat a
POST with the same \`Idempotency-Key\`.

${names.map(errorSection).join("\n\n")}
`;
}

function errorSection(name) {
  const { status, meaning } = failureTable[name];
  const { body, headers } = failure(name, details[name] ?? null);
  const sent = Object.entries(headers).map(([header, value]) => `\`${header}: ${value}\``);
  return [
    `## ${status} ${name}`,
    `Cause: ${meaning}`,
    `Remedy: ${remedies[name]}`,
    block("json", JSON.stringify(body, null, 2)),
    ...(sent.length > 0 ? [`Headers: ${sent.join(", ")}.`] : []),
  ].join("\n\n");
}
